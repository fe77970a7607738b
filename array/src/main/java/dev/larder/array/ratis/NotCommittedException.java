package dev.larder.array.ratis;

import dev.larder.memory.LarderException;
import java.io.Serial;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;

/** An entry has no replies: it was refused, or it is not known whether it takes effect. */
public final class NotCommittedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean refused;

    NotCommittedException(Throwable cause) {
        super("an entry was not committed: " + cause, cause);
        // A leader that steps down says "not the leader" of entries as well that the next one may commit.
        this.refused = cause instanceof LeaderNotReadyException
                || cause instanceof LeaderSteppingDownException
                || cause instanceof ResourceUnavailableException;
    }

    /** Returns whether the entry was refused since there are too many under way. */
    public boolean isBusy() {
        return getCause() instanceof ResourceUnavailableException;
    }

    /** Returns whether the entry has no effect, and never will have. */
    public boolean isRefused() {
        return refused;
    }
}
