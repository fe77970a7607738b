package dev.larder.array.node;

import dev.larder.server.command.Database;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.LoopDatabase;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The path of an event loop to the stripes. */
final class ArrayDatabase implements LoopDatabase {

    private final Stripes stripes;
    private final Executor turnEnd;

    /**
     * The path to the store of a member.
     *
     * @param stripe the member: another one of the same stripe has another store
     */
    private record Way(Stripe stripe, Database store) {}

    /** The paths to the stores of this node's members, by the number of their stripe. */
    private final @Nullable Way[] ways;

    /** Whether reads of this turn wait, and the question for them has not been sent yet. */
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
     * Makes reads wait for the barrier. At the end of its turn, the loop asks for all waiting reads of its sessions together. One
     * round then confirms reads of many connections.
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

    /** Returns the loop's path to the store of a member. */
    Database store(Stripe stripe) {
        Way way = ways[stripe.number()];
        if (way == null || way.stripe != stripe) {
            way = new Way(stripe, stripe.state().shared().forLoop());
            ways[stripe.number()] = way;
        }
        return way.store;
    }
}
