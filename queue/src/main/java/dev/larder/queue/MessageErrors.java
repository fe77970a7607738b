package dev.larder.queue;

import dev.larder.codec.SchemaMismatchException;
import dev.larder.log.Position;
import java.nio.file.Path;

/** Errors of messages, which know their message only when they get here. */
final class MessageErrors {

    private MessageErrors() {}

    /** Returns an error that says which message of which queue it is about. */
    static SchemaMismatchException located(SchemaMismatchException error, Path directory, long position) {
        return new SchemaMismatchException(
                directory + ": the message at position " + Position.toString(position) + " cannot be read: "
                        + error.getMessage(),
                error);
    }
}
