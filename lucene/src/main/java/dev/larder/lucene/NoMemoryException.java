package dev.larder.lucene;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The system has no memory, or no addresses, for a block that the budget has room for. Evicting files does not help. */
final class NoMemoryException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    NoMemoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
