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

    /** Ratis says this before it appends an entry, and uses the same exception once the entry is in its log. */
    private static final String NO_PERMIT = ": Failed to acquire a pending write request";

    private static final String REQUEST = " for ";

    private final boolean refused;

    NotCommittedException(Throwable cause) {
        super("an entry was not committed: " + cause, cause);
        // A leader that steps down says "not the leader" of entries as well that the next one may commit.
        this.refused = cause instanceof LeaderNotReadyException
                || cause instanceof LeaderSteppingDownException
                || isWithoutPermit(cause);
    }

    /** Returns whether the entry was refused since there are too many under way. */
    public boolean isBusy() {
        return isWithoutPermit(getCause());
    }

    /** Returns whether an entry was not appended, since there are too many under way. */
    private static boolean isWithoutPermit(@Nullable Throwable cause) {
        if (!(cause instanceof ResourceUnavailableException)) {
            return false;
        }
        String text = String.valueOf(cause.getMessage());
        int request = text.indexOf(REQUEST);
        return request >= 0 && text.substring(0, request).endsWith(NO_PERMIT);
    }

    /** Returns whether the entry has no effect, and never will have. */
    public boolean isRefused() {
        return refused;
    }
}
