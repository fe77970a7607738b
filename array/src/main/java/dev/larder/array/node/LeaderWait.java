package dev.larder.array.node;

/** The wait of a command for a leader of its stripe during an election. The command is not done, and then runs again. */
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
