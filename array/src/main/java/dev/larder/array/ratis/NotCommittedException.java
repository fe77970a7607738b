package dev.larder.array.ratis;

import dev.larder.memory.LarderException;
import java.io.Serial;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.jspecify.annotations.Nullable;

/** Reports that an entry has no replies: it was refused, or it is not known whether it takes effect. */
public final class NotCommittedException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** A part of Ratis' message if it has not appended the entry. */
    private static final String BEFORE_THE_APPEND = "acquire a pending write request";

    private final boolean refused;

    NotCommittedException(Throwable cause) {
        super("an entry was not committed: " + cause, cause);
        // A leader that steps down says "not the leader" also of entries that the next leader may commit.
        this.refused = cause instanceof LeaderNotReadyException
                || cause instanceof LeaderSteppingDownException
                || cause instanceof OtherTermException
                || isBusy(cause);
    }

    /** Returns whether Ratis was busy before the append. It also reports this for an appended entry, but in other words. */
    private static boolean isBusy(@Nullable Throwable cause) {
        return cause instanceof ResourceUnavailableException
                && String.valueOf(cause.getMessage()).contains(BEFORE_THE_APPEND);
    }

    /** Returns whether the entry was refused because too many are in flight. */
    public boolean isBusy() {
        return isBusy(getCause());
    }

    /** Returns whether the entry has no effect, and never will have. */
    public boolean isRefused() {
        return refused;
    }
}
