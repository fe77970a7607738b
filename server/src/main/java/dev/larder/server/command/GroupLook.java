package dev.larder.server.command;

/**
 * A check whether {@code XREADGROUP} has entries to deliver, with the same arguments. It changes nothing. If a write goes a
 * longer way than to this node's store, its client can wait here until the write is worthwhile.
 */
public final class GroupLook {

    /** The reply, as a status, if there are entries. */
    public static final String READY = "READY";

    private GroupLook() {}

    /** Returns the handler. It replies {@link #READY}, nil or an error, or waits. */
    public static Handler handler() {
        return ReadCommands::look;
    }
}
