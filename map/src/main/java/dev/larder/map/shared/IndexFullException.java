package dev.larder.map.shared;

import dev.larder.memory.DiskFullException;

/** There is no room for the index. What is cleaned of the log does not make any. */
public final class IndexFullException extends DiskFullException {

    private static final long serialVersionUID = 1L;

    public IndexFullException(String message, Throwable cause) {
        super(message, cause);
    }

    public IndexFullException(String message) {
        super(message);
    }
}
