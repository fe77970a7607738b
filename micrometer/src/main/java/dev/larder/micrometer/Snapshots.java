package dev.larder.micrometer;

import dev.larder.memory.LarderException;
import io.micrometer.core.instrument.Clock;
import java.lang.ref.WeakReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the meters of one log, queue or map show: a snapshot that is read at most once a second, so that a scrape of twenty
 * meters reads once. It keeps the source neither open nor in memory.
 *
 * @param <S> the source
 * @param <I> the snapshot
 */
final class Snapshots<S, I> {

    private static final long FRESH_NANOS = 1_000_000_000;

    private final WeakReference<S> source;
    private final Function<S, I> read;
    private final Clock clock;
    private @Nullable I last;
    private boolean readable;
    private long readAtNanos;

    Snapshots(S source, Function<S, I> read, Clock clock) {
        this.source = new WeakReference<>(source);
        this.read = read;
        this.clock = clock;
    }

    /** Returns a value that stands for now: NaN once the source is closed, failed or collected. */
    synchronized double gauge(ToDoubleFunction<I> value) {
        refresh();
        return readable && last != null ? value.applyAsDouble(last) : Double.NaN;
    }

    /** Returns a value that only grows: the last one known, once the source is closed, failed or collected. */
    synchronized double count(ToDoubleFunction<I> value) {
        refresh();
        return last != null ? value.applyAsDouble(last) : 0;
    }

    private void refresh() {
        long now = clock.monotonicTime();
        if (last == null || now - readAtNanos >= FRESH_NANOS) {
            readAtNanos = now;
            readable = tryToRead();
        }
    }

    private boolean tryToRead() {
        S there = source.get();
        if (there == null) {
            return false;
        }
        try {
            last = read.apply(there);
            return true;
        } catch (LarderException e) {
            return false; // a scrape is no place to fail: the owner of the source meets the error itself
        }
    }
}
