package dev.larder.array.ratis;

import dev.larder.memory.LarderException;
import java.io.Serial;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.jspecify.annotations.Nullable;

/** An entry has no replies: it was refused, or it is not known whether it takes effect. */
public final class NotCommittedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What Ratis says if it has not appended the entry. */
    private static final String BEFORE_THE_APPEND = "acquire a pending write request";

    private final boolean refused;

    NotCommittedException(Throwable cause) {
        super("an entry was not committed: " + cause, cause);
        // A leader that steps down says "not the leader" of entries as well that the next one may commit.
        this.refused = cause instanceof LeaderNotReadyException
                || cause instanceof LeaderSteppingDownException
                || isBusy(cause);
    }

    /** Ratis also says so of an entry that it has appended, but in other words. */
    private static boolean isBusy(@Nullable Throwable cause) {
        return cause instanceof ResourceUnavailableException
                && String.valueOf(cause.getMessage()).contains(BEFORE_THE_APPEND);
    }

    /** Returns whether the entry was refused since there are too many under way. */
    public boolean isBusy() {
        return isBusy(getCause());
    }

    /** Returns whether the entry has no effect, and never will have. */
    public boolean isRefused() {
        return refused;
    }
}
