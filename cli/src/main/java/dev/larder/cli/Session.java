package dev.larder.cli;

import java.util.Optional;

/**
 * The state that the commands of one run share.
 *
 * @param open the object that a shell has open for its commands; empty for a single command
 */
public record Session(Streams streams, Optional<Object> open) {

    /** Creates the session of a single command. */
    public Session(Streams streams) {
        this(streams, Optional.empty());
    }

    /** Returns the object that a shell has open, if it is of this kind. */
    public <T> Optional<T> open(Class<T> kind) {
        return open.filter(kind::isInstance).map(kind::cast);
    }

    /** Returns whether a shell runs the commands. */
    public boolean isShell() {
        return open.isPresent();
    }
}
