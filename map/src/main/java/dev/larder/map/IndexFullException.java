package dev.larder.map;

import dev.larder.memory.DiskFullException;

/** There is no room for the index. What is cleaned of the log does not make any. */
final class IndexFullException extends DiskFullException {

    private static final long serialVersionUID = 1L;

    IndexFullException(String message, Throwable cause) {
        super(message, cause);
    }

    IndexFullException(String message) {
        super(message);
    }
}
