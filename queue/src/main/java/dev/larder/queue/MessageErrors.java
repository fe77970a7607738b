package dev.larder.queue;

import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.ValueMismatchException;
import dev.larder.log.Position;
import java.nio.file.Path;

/** Adds the message's position and the queue to an error of a codec. */
final class MessageErrors {

    private MessageErrors() {}

    /** Returns an error that names the queue and the message's position. */
    static ValueMismatchException located(ValueMismatchException error, Path directory, long position) {
        String text = directory + ": the message at position " + Position.toString(position) + " cannot be read: "
                + error.getMessage();
        return error instanceof SchemaMismatchException
                ? new SchemaMismatchException(text, error)
                : new ValueMismatchException(text, error);
    }
}
