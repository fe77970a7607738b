package dev.larder.server.command;

import dev.larder.resp.ReplyException;

/** The action of a command on keys. It may be run again from its request alone, on another store, with the same effect. */
@FunctionalInterface
public interface Handler {

    /**
     * Runs the command and writes its reply.
     *
     * @throws ReplyException if the command fails; nothing was changed or written
     */
    void run(Execution execution);
}
