package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.LogBeginning;

/** Hears that a member lacks more than its leader has. */
@FunctionalInterface
public interface BehindListener {

    /** As {@link StripeState#behind} says. */
    void behind(LogBeginning begun, long least);
}
