package dev.larder.array.node;

/** The wait of a read for the entries in flight in its stripe. One of them may still find a key alive that has expired by now. */
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
