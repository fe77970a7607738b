package dev.larder.server.command;

/** The access of one event loop to the keys. Each of its sessions has its own. */
@FunctionalInterface
public interface LoopDatabase {

    /**
     * Returns the access of a session, whose position tells how far it has come.
     *
     * @param encrypted whether its client speaks TLS
     */
    Database forSession(InputPosition position, boolean encrypted);
}
