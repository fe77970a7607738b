package dev.larder.server.command;

import java.io.Serial;

/**
 * Thrown when a thread that may not wait cannot run a command: a record is not in memory, or there is no room yet. Nothing was
 * changed or written. After {@link Database#prepare} the command is run again. There is no stack trace, because this is not a
 * failure.
 */
public final class NotReadyException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Runnable preparation;
    private final boolean looksAhead;

    /**
     * Creates an exception with the work to do first, in a thread that may wait.
     *
     * @param looksAhead whether the commands behind it can be prepared with it: other records are read as well, but room is
     *     made for one change
     */
    public NotReadyException(Runnable preparation, boolean looksAhead) {
        super("a command has to wait", null, false, false);
        this.preparation = preparation;
        this.looksAhead = looksAhead;
    }

    /** Returns the work to do first. */
    public Runnable preparation() {
        return preparation;
    }

    /** Returns whether the commands behind it can be prepared with it. */
    public boolean looksAhead() {
        return looksAhead;
    }
}
