package dev.larder.array.node;

import dev.larder.server.command.Database;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.LoopDatabase;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The way of an event loop to the stripes. */
final class ArrayDatabase implements LoopDatabase {

    private final Stripes stripes;
    private final Executor turnEnd;

    /**
     * The way to the store of a member.
     *
     * @param stripe the member: another one of the same stripe has another store
     */
    private record Way(Stripe stripe, Database store) {}

    /** The ways to the stores of this node's members, by the number of their stripe. */
    private final @Nullable Way[] ways;

    /** Reads of this turn wait, and nobody was asked for them yet. */
    private boolean isAsking;

    ArrayDatabase(Stripes stripes, Executor turnEnd) {
        this.stripes = stripes;
        this.turnEnd = turnEnd;
        this.ways = new @Nullable Way[stripes.count()];
    }

    @Override
    public Database forSession(InputPosition position, boolean encrypted) {
        return new ArraySession(this, position, encrypted);
    }

    Stripes stripes() {
        return stripes;
    }

    /**
     * Has reads wait for the barrier. All that the loop's sessions have waiting are asked for together at the end of its turn: one
     * round then confirms what has come on many connections.
     */
    void await(List<BarrierWait> waits) {
        waits.forEach(wait -> wait.stripe().await(wait));
        if (!isAsking) {
            isAsking = true;
            turnEnd.execute(() -> {
                isAsking = false;
                waits.getFirst().stripe().ask();
            });
        }
    }

    /** Returns the loop's way to the store of a member. */
    Database store(Stripe stripe) {
        Way way = ways[stripe.number()];
        if (way == null || way.stripe != stripe) {
            way = new Way(stripe, stripe.state().shared().forLoop());
            ways[stripe.number()] = way;
        }
        return way.store;
    }
}
