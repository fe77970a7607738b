package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.LogBeginning;

/** A listener for members that lack entries which their leader no longer has. */
@FunctionalInterface
public interface BehindListener {

    /** Called as {@link StripeState#behind} describes. */
    void behind(LogBeginning begun, long least);
}
