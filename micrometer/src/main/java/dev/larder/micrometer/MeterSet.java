package dev.larder.micrometer;

import dev.larder.log.LogCounter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The meters of one source in one registry, whose names begin alike. */
final class MeterSet<S, I> {

    private static final String BYTES = "bytes";

    private final MeterRegistry registry;
    private final String prefix;
    private final Tags tags;
    private final Snapshots<S, I> snapshots;
    private final List<Meter> meters = new ArrayList<>();

    MeterSet(MeterRegistry registry, String prefix, Tags tags, Snapshots<S, I> snapshots) {
        this.registry = registry;
        this.prefix = prefix;
        this.tags = tags;
        this.snapshots = snapshots;
    }

    MeterSet<S, I> gauge(String name, String description, ToDoubleFunction<I> value) {
        Gauge.Builder<Snapshots<S, I>> gauge = Gauge.builder(prefix + name, snapshots, from -> from.gauge(value))
                .description(description)
                .tags(tags)
                .strongReference(true);
        meters.add((isBytes(name) ? gauge.baseUnit(BYTES) : gauge).register(registry));
        return this;
    }

    /** A registry holds the object of a counter weakly, and its function for good: so the function leads to the object. */
    MeterSet<S, I> counter(String name, String description, ToDoubleFunction<I> value) {
        FunctionCounter.Builder<Snapshots<S, I>> counter = FunctionCounter.builder(
                        prefix + name, snapshots, from -> snapshots.count(value))
                .description(description)
                .tags(tags);
        meters.add((isBytes(name) ? counter.baseUnit(BYTES) : counter).register(registry));
        return this;
    }

    /** Adds the counters of a log: {@code APPENDED_BYTES} becomes {@code appended.bytes}, syncs with their time a timer. */
    MeterSet<S, I> counters(Function<I, Map<LogCounter, Long>> counters) {
        for (LogCounter counter : LogCounter.values()) {
            if (counter != LogCounter.SYNCS && counter != LogCounter.SYNC_NANOS) {
                String name = counter.name().toLowerCase(Locale.ROOT).replace('_', '.');
                counter(name, "counted by all processes since the creation", of(counters, counter));
            }
        }
        ToDoubleFunction<I> syncs = of(counters, LogCounter.SYNCS);
        ToDoubleFunction<I> nanos = of(counters, LogCounter.SYNC_NANOS);
        meters.add(FunctionTimer.builder(
                        prefix + "syncs",
                        snapshots,
                        from -> (long) snapshots.count(syncs),
                        from -> snapshots.count(nanos),
                        TimeUnit.NANOSECONDS)
                .description("flushes, and the time that they took")
                .tags(tags)
                .register(registry));
        return this;
    }

    private static <I> ToDoubleFunction<I> of(Function<I, Map<LogCounter, Long>> counters, LogCounter counter) {
        return snapshot -> counters.apply(snapshot).getOrDefault(counter, 0L);
    }

    private static boolean isBytes(String name) {
        return name.endsWith(BYTES);
    }

    void remove() {
        meters.forEach(registry::remove);
    }
}
