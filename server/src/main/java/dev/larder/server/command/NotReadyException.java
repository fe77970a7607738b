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
    private final boolean reads;

    /**
     * An exception with what is to be done first, by a thread that may wait.
     *
     * @param reads whether that reads records from the disk; else it makes room
     */
    public NotReadyException(Runnable preparation, boolean reads) {
        super(reads ? "a record is not in memory" : "there is no room yet", null, false, false);
        this.preparation = preparation;
        this.reads = reads;
    }

    /** Returns what is to be done first. */
    public Runnable preparation() {
        return preparation;
    }

    /** Returns whether that reads from the disk. */
    public boolean reads() {
        return reads;
    }
}
