package dev.larder.array.entry;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A read of a client that the leader runs as it applies its own entry, after one of the operations. It may still run after its
 * client got the error that the entry may have been done. Then its reply is as true, or comes too late.
 */
public final class EntryRead {

    private final EntryCall call;
    private volatile byte @Nullable [] reply;
    private volatile @Nullable RuntimeException failure;

    /** Creates a read that has not run yet. */
    public EntryRead(EntryCall call) {
        this.call = call;
    }

    /**
     * Runs the read. A failure affects its client only: the read has changed nothing.
     *
     * @param reader returns the reply, or null if the read is not done
     */
    public void run(Function<EntryCall, byte @Nullable []> reader) {
        try {
            reply = reader.apply(call);
        } catch (RuntimeException e) {
            failure = e;
        } catch (Error e) { // only its client gets the error: it must not end the loop
            failure = new IllegalStateException("a read failed: " + e, e);
        }
    }

    /** Returns whether the read has run. */
    public boolean isDone() {
        return reply != null || failure != null;
    }

    /** Returns the reply, throws the read's exception, or returns null if this leader did not apply the entry. */
    public byte @Nullable [] reply() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return reply;
    }
}
