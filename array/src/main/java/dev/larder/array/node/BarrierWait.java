package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.barrier.WaitingRead;
import org.jspecify.annotations.Nullable;

/** Reads of a session that wait for a round of a stripe's barrier, and then for what that asks to be applied here. */
final class BarrierWait extends SessionWait implements WaitingRead {

    private final Stripe stripe;
    private @Nullable Refusal refusal;

    BarrierWait(Stripe stripe) {
        this.stripe = stripe;
    }

    Stripe stripe() {
        return stripe;
    }

    @Override
    public void confirmed(long index) {
        stripe.state().appliedIndex().await(index, this);
    }

    @Override
    public void refused(Refusal why) {
        refusal = why;
        if (why == Refusal.NOT_LEADER) {
            stripe.onceLedElsewhere(this);
        } else {
            run();
        }
    }

    /** Returns why they are refused; null if they are not. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }
}
