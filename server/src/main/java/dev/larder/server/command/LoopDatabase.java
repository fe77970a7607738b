package dev.larder.server.command;

/** The way of one event loop to the keys. Each of its sessions has one of its own. */
@FunctionalInterface
public interface LoopDatabase {

    /**
     * Returns the way of a session, which tells how far it has come.
     *
     * @param encrypted whether its client speaks TLS
     */
    Database forSession(InputPosition position, boolean encrypted);
}
