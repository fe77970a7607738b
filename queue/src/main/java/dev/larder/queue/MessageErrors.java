package dev.larder.queue;

import dev.larder.codec.SchemaMismatchException;
import dev.larder.log.Position;
import java.nio.file.Path;

/** Adds the message's position and the queue to an error of a codec. */
final class MessageErrors {

    private MessageErrors() {}

    /** Returns an error that names the queue and the message's position. */
    static SchemaMismatchException located(SchemaMismatchException error, Path directory, long position) {
        return new SchemaMismatchException(
                directory + ": the message at position " + Position.toString(position) + " cannot be read: "
                        + error.getMessage(),
                error);
    }
}
