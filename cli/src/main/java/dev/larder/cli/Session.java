package dev.larder.cli;

import java.util.Optional;

/**
 * What the commands of one run share.
 *
 * @param map the map that a shell has open; empty for a command of its own
 * @param queue the queue that a shell has open; empty for a command of its own
 */
record Session(Streams streams, Optional<OpenMap> map, Optional<OpenQueue> queue) {

    /** The session of one command. */
    Session(Streams streams) {
        this(streams, Optional.empty(), Optional.empty());
    }

    /** Returns whether a shell runs the commands. */
    boolean isShell() {
        return map.isPresent() || queue.isPresent();
    }
}
