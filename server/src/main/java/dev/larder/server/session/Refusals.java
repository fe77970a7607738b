package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Database.MemoryState;

/** Refuses commands of a session if the server has too little memory, or too few replicas. */
final class Refusals {

    private static final String NO_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";
    private static final String NO_REPLICAS = "NOREPLICAS Not enough good replicas to write.";

    private final Session session;
    private final Transaction transaction;

    Refusals(Session session) {
        this.session = session;
        this.transaction = session.transaction();
    }

    /**
     * Evicts keys if too much memory is used, and refuses a command that must not run now. Within a transaction every command
     * is kept, which takes memory, so each is refused. {@code EXEC} is refused if one of its commands would be.
     *
     * @throws ReplyException if the command must not run
     */
    void require(Command command) {
        MemoryState memory = session.database().keepWithinMemory();
        if (memory == MemoryState.EVICTED) {
            session.writePushes(); // clients learn of lost keys before the reply
        } else if (memory == MemoryState.FULL && needsMemory(command)) {
            session.node().countOutOfMemory();
            throw new ReplyException(NO_MEMORY);
        }
        if (session.node().lacksReplicas() && writes(command)) {
            throw new ReplyException(NO_REPLICAS);
        }
    }

    private boolean needsMemory(Command command) {
        return isExec(command)
                ? transaction.has(CommandFlag.DENYOOM)
                : command.is(CommandFlag.DENYOOM) || (transaction.isOpen() && transaction.keeps(command));
    }

    private boolean writes(Command command) {
        return isExec(command) ? transaction.has(CommandFlag.WRITE) : command.is(CommandFlag.WRITE);
    }

    private static boolean isExec(Command command) {
        return command.name().equals("exec");
    }
}
