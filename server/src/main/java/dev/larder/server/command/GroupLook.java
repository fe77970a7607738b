package dev.larder.server.command;

/**
 * A look whether {@code XREADGROUP} has entries to deliver, with the same arguments. It changes nothing: where a write goes a
 * longer way than to this node's store, its client can wait here for a moment at which it is worth going.
 */
public final class GroupLook {

    /** What it replies, as a status, where there are some. */
    public static final String READY = "READY";

    private GroupLook() {}

    /** Returns the handler. It replies {@link #READY}, nil or an error, or waits. */
    public static Handler handler() {
        return ReadCommands::look;
    }
}
