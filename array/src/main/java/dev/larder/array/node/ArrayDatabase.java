package dev.larder.array.node;

import dev.larder.server.command.Database;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.LoopDatabase;
import org.jspecify.annotations.Nullable;

/** The way of an event loop to the stripes. */
final class ArrayDatabase implements LoopDatabase {

    private final Stripes stripes;

    /** The ways to the stores of this node's members, by the number of their stripe. */
    private final @Nullable Database[] stores;

    ArrayDatabase(Stripes stripes) {
        this.stripes = stripes;
        this.stores = new @Nullable Database[stripes.count()];
    }

    @Override
    public Database forSession(InputPosition position) {
        return new ArraySession(this, position);
    }

    Stripes stripes() {
        return stripes;
    }

    /** Returns the loop's way to the store of a member. */
    Database store(Stripe stripe) {
        Database store = stores[stripe.number()];
        if (store == null) {
            store = stripe.state().shared().forLoop();
            stores[stripe.number()] = store;
        }
        return store;
    }
}
