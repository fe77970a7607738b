package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.barrier.WaitingRead;
import dev.larder.array.stripe.AppliedIndex;
import dev.larder.resp.Request;
import org.jspecify.annotations.Nullable;

/** A read of a session that waits for a round of the barrier, and then for what that asks to be applied here. */
final class BarrierWait extends SessionWait implements WaitingRead {

    private final AppliedIndex applied;
    private @Nullable Refusal refusal;

    /** The read, once it has been run behind the barrier. */
    private @Nullable Request request;

    BarrierWait(AppliedIndex applied) {
        this.applied = applied;
    }

    @Override
    public void confirmed(long index) {
        applied.await(index, this);
    }

    @Override
    public void refused(Refusal why) {
        refusal = why;
        run();
    }

    /** Returns whether a read is the one that has waited: not a later one, where that ended with an error. */
    @SuppressWarnings("ReferenceEquality") // a session runs the same object again
    boolean isFor(Request read) {
        if (request == null) {
            request = read;
        }
        return request == read;
    }

    @Nullable
    Refusal refusal() {
        return refusal;
    }
}
