package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.barrier.WaitingRead;
import dev.larder.array.stripe.AppliedIndex;
import org.jspecify.annotations.Nullable;

/** A read of a session that waits for a round of the barrier, and then for what that asks to be applied here. */
final class BarrierWait implements WaitingRead, Runnable {

    private final AppliedIndex applied;
    private @Nullable Runnable end;
    private @Nullable Refusal refusal;

    BarrierWait(AppliedIndex applied) {
        this.applied = applied;
    }

    /** Sets what is run once, in any thread, at the end. */
    void onEnd(Runnable task) {
        end = task;
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

    /** Tells the end. */
    @Override
    public void run() {
        Runnable task = end;
        end = null; // it leads to the session, which may be gone
        if (task != null) {
            task.run();
        }
    }

    @Nullable
    Refusal refusal() {
        return refusal;
    }
}
