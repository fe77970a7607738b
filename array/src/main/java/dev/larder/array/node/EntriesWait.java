package dev.larder.array.node;

/** A read that waits for the entries under way in its stripe: one of them may still find alive a key that has expired by now. */
final class EntriesWait extends SessionWait {

    private final Stripe stripe;

    EntriesWait(Stripe stripe) {
        this.stripe = stripe;
    }

    /** Begins the wait. */
    void begin() {
        stripe.state().clock().awaitUnderWay(this);
    }
}
