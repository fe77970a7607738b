package dev.larder.array.entry;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A read of a client that the leader runs as it applies its own entry, behind one of the operations. It is run by one thread, and
 * looked at by another one once the entry has its replies.
 */
public final class EntryRead {

    private final EntryCall call;
    private byte @Nullable [] reply;
    private @Nullable Throwable failure;

    /** A read that is not run yet. */
    public EntryRead(EntryCall call) {
        this.call = call;
    }

    /** Runs it. A read that fails fails its client alone: it has changed nothing. */
    void run(Function<EntryCall, byte[]> reader) {
        try {
            reply = reader.apply(call);
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Returns its reply, throws what it has thrown, or returns null if the entry was not applied by this leader. */
    public byte @Nullable [] reply() {
        return switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> reply;
        };
    }
}
