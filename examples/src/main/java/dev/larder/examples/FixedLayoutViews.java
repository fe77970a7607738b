package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.codec.ViewCodec;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TypedAppender;
import dev.larder.queue.TypedTailer;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/** Messages of primitive components, read in place through one object for all of them. */
public final class FixedLayoutViews {

    interface Tick {
        int symbol();

        Tick symbol(int value);

        double price();

        Tick price(double value);
    }

    /** The sums over the ticks. */
    private static final class Sum {
        private double prices;
        private int ticks;
    }

    private FixedLayoutViews() {}

    public static void main(String[] arguments) {
        Sum sum = new Sum();
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            ViewCodec<Tick> ticks = Codec.views(Tick.class, MethodHandles.lookup());
            TypedAppender<Tick> appender = queue.appender(ticks);
            Tick tick = ticks.create(); // outside the queue; an append copies its bytes
            for (int symbol = 1; symbol <= 1000; symbol++) {
                appender.append(tick.symbol(symbol).price(symbol / 2.0));
            }

            TypedTailer<Tick> tailer = queue.tailer(ticks);
            tailer.drain(
                    view -> { // over the mapped file itself, valid during this call only
                        sum.prices += view.price();
                        sum.ticks++;
                    },
                    Integer.MAX_VALUE);
        }
        System.out.println(sum.ticks + " ticks, mean price " + sum.prices / sum.ticks);
        if (sum.ticks != 1000 || sum.prices != 250_250) {
            throw new IllegalStateException(sum.ticks + " ticks of " + sum.prices);
        }
    }
}
