package dev.larder.array.ratis;

import dev.larder.memory.StorageException;
import java.io.Serial;

/**
 * Reports that a member has lost its term, its vote, or entries that it has acknowledged. It must not come back under its name,
 * which is the name of all members of its node.
 */
public final class LostPromisesException extends StorageException {

    @Serial
    private static final long serialVersionUID = 1L;

    LostPromisesException(String message) {
        super(message);
    }

    LostPromisesException(String message, Throwable cause) {
        super(message, cause);
    }
}
