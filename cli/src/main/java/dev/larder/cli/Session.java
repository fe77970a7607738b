package dev.larder.cli;

import java.util.Optional;

/**
 * What the commands of one run share.
 *
 * @param open what a shell has open, as its commands know it; empty for a command of its own
 */
public record Session(Streams streams, Optional<Object> open) {

    /** The session of one command. */
    public Session(Streams streams) {
        this(streams, Optional.empty());
    }

    /** Returns what a shell has open, if it is of this kind. */
    public <T> Optional<T> open(Class<T> kind) {
        return open.filter(kind::isInstance).map(kind::cast);
    }

    /** Returns whether a shell runs the commands. */
    public boolean isShell() {
        return open.isPresent();
    }
}
