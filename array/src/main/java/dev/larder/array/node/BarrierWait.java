package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.barrier.WaitingRead;
import org.jspecify.annotations.Nullable;

/** The wait of a session's reads for a round of a stripe's barrier, and then until the index of that round is applied here. */
final class BarrierWait extends SessionWait implements WaitingRead {

    private final Stripe stripe;
    private final long term;
    private final long millis;
    private @Nullable Refusal refusal;

    BarrierWait(Stripe stripe) {
        this.stripe = stripe;
        this.term = stripe.servedTerm();
        this.millis = stripe.state().clock().systemMillis();
    }

    Stripe stripe() {
        return stripe;
    }

    /** Returns the system's time when the wait was created: after the reads had come, and before the round begins. */
    long millis() {
        return millis;
    }

    @Override
    public void confirmed(long index) {
        stripe.state().appliedIndex().await(index, this, () -> refused(Refusal.NOT_LEADER));
    }

    @Override
    public void refused(Refusal why) {
        refusal = why;
        if (why == Refusal.NOT_LEADER) {
            stripe.onceLedAnew(term, this);
        } else {
            run();
        }
    }

    /** Returns why the reads are refused; null if they are not. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }
}
