package dev.larder.array.node;

/** A command that waits until a leader of its stripe is known, while the members elect one. It is not done, and then runs again. */
final class LeaderWait extends SessionWait {

    private final Stripes stripes;
    private final int stripe;

    LeaderWait(Stripes stripes, int stripe) {
        this.stripes = stripes;
        this.stripe = stripe;
    }

    /** Returns the number of the stripe. */
    int stripe() {
        return stripe;
    }

    /** Begins the wait. */
    void begin() {
        stripes.onceLed(stripe, this);
    }
}
