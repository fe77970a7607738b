package dev.larder.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Meters of one log, queue or map. They read its {@code info()} and {@code counters()} when a registry asks, at most once a
 * second, and cost an append, a get or a put nothing.
 *
 * <p>Every meter has the tags {@code path}, the directory, and {@code name}, its last part. Two openings of a directory with
 * the same tags are one meter. The first one's values count, and the first close removes the meter. Give each its own tag.
 *
 * <p>The metrics do not keep their source in memory. Once it is closed, gauges are NaN, and counters keep their last value.
 * {@link #close} removes the meters from their registries.
 */
public abstract sealed class LarderMetrics implements MeterBinder, AutoCloseable
        permits LogMetrics, QueueMetrics, MapMetrics {

    private final Tags tags;
    private final List<MeterSet<?, ?>> bound = new ArrayList<>();
    private boolean closed;

    LarderMetrics(Path directory, Iterable<Tag> more) {
        Path name = directory.getFileName();
        this.tags = Tags.of("path", directory.toString(), "name", name == null ? "" : name.toString())
                .and(more);
    }

    /** Returns the meters of the source, registered. */
    abstract MeterSet<?, ?> register(MeterRegistry registry, Tags all);

    /**
     * Registers the meters.
     *
     * @throws IllegalStateException if these metrics are closed
     */
    @Override
    public final synchronized void bindTo(MeterRegistry registry) {
        if (closed) {
            throw new IllegalStateException("the metrics of " + tags + " are closed");
        }
        bound.add(register(registry, tags));
    }

    /** Removes the meters from the registries that they are bound to. The source stays open. */
    @Override
    public final synchronized void close() {
        closed = true;
        bound.forEach(MeterSet::remove);
        bound.clear();
    }

    /** Returns the source of a reference that is not cleared yet. */
    static <S> S of(WeakReference<S> source) {
        S there = source.get();
        if (there == null) {
            throw new IllegalStateException("the object of these metrics was garbage-collected");
        }
        return there;
    }
}
