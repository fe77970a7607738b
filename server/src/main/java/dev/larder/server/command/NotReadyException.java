package dev.larder.server.command;

import java.io.Serial;

/**
 * A command cannot be done by a thread that may not wait: a record is not in memory, or there is no room yet. Nothing was
 * changed or written. After {@link Database#prepare} the command is run again. It has no stack trace, since it is no failure.
 */
public final class NotReadyException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Runnable preparation;
    private final boolean looksAhead;

    /**
     * An exception with what is to be done first, by a thread that may wait.
     *
     * @param looksAhead whether the commands behind it can be prepared with it: other records are read as well, but room is
     *     made for one change
     */
    public NotReadyException(Runnable preparation, boolean looksAhead) {
        super("a command has to wait", null, false, false);
        this.preparation = preparation;
        this.looksAhead = looksAhead;
    }

    /** Returns what is to be done first. */
    public Runnable preparation() {
        return preparation;
    }

    /** Returns whether the commands behind it can be prepared with it. */
    public boolean looksAhead() {
        return looksAhead;
    }
}
