package dev.larder.array.node;

import dev.larder.server.command.Database.KeyWatch;

/**
 * A watch of a key in the store of a member. It is touched once that member is removed. A later member of the stripe opens the
 * store anew, and the watch does not notice its changes.
 *
 * @param stripe the member
 * @param watch the watch in its store
 */
record StripeWatch(Stripe stripe, KeyWatch watch) implements KeyWatch {

    @Override
    public boolean isTouched() {
        return stripe.isEnded() || watch.isTouched();
    }

    @Override
    public void close() {
        watch.close();
    }
}
