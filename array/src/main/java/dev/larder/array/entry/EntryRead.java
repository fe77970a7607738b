package dev.larder.array.entry;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A read of a client that the leader runs as it applies its own entry, behind one of the operations. It may
 * still be run after its client was told that the entry may have been done: then its reply is as true, or comes too late.
 */
public final class EntryRead {

    private final EntryCall call;
    private volatile byte @Nullable [] reply;
    private volatile @Nullable RuntimeException failure;

    /** A read that is not run yet. */
    public EntryRead(EntryCall call) {
        this.call = call;
    }

    /**
     * Runs it. A read that fails fails its client alone: it has changed nothing.
     *
     * @param reader returns the reply; null: the read is not done
     */
    public void run(Function<EntryCall, byte @Nullable []> reader) {
        try {
            reply = reader.apply(call);
        } catch (RuntimeException e) {
            failure = e;
        } catch (Error e) { // its client alone is told: no loop is to end in its midst
            failure = new IllegalStateException("a read failed: " + e, e);
        }
    }

    /** Returns whether it was run. */
    public boolean isDone() {
        return reply != null || failure != null;
    }

    /** Returns its reply, throws what it has thrown, or returns null if the entry was not applied by this leader. */
    public byte @Nullable [] reply() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return reply;
    }
}
