package dev.larder.map.shared;

import dev.larder.memory.DiskFullException;

/** Thrown if there is no room for the index. Cleaning the log makes none. */
public final class IndexFullException extends DiskFullException {

    private static final long serialVersionUID = 1L;

    public IndexFullException(String message, Throwable cause) {
        super(message, cause);
    }

    public IndexFullException(String message) {
        super(message);
    }
}
