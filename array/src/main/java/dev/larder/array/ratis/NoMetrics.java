package dev.larder.array.ratis;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Metrics of Ratis that keep nothing. Ratis' own put each of some twenty timers an entry into a sorted map of samples. That took
 * 11 % of a leader's Java code, and nothing read them. Ratis finds this class as a service.
 */
public final class NoMetrics extends MetricRegistries {

    private static final Timekeeper.Context CONTEXT = () -> 0;
    private static final Timekeeper TIMER = () -> CONTEXT;

    /** Called by the service loader. */
    public NoMetrics() {}

    @Override
    public void clear() {}

    @Override
    public RatisMetricRegistry create(MetricRegistryInfo info) {
        return new Registry(info);
    }

    @Override
    public boolean remove(MetricRegistryInfo key) {
        return false;
    }

    @Override
    public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
        return Optional.empty();
    }

    @Override
    public Set<MetricRegistryInfo> getMetricRegistryInfos() {
        return Set.of();
    }

    @Override
    public Collection<RatisMetricRegistry> getMetricRegistries() {
        return List.of();
    }

    @Override
    public void addReporterRegistration(
            Consumer<RatisMetricRegistry> reporter, Consumer<RatisMetricRegistry> stopReporter) {}

    @Override
    public void enableJmxReporter() {}

    @Override
    public void enableConsoleReporter(TimeDuration rate) {}

    private record Registry(MetricRegistryInfo getMetricRegistryInfo) implements RatisMetricRegistry {

        @Override
        public Timekeeper timer(String name) {
            return TIMER;
        }

        @Override
        public LongCounter counter(String name) {
            return Counter.NONE;
        }

        @Override
        public boolean remove(String name) {
            return false;
        }

        @Override
        public <T> void gauge(String name, Supplier<Supplier<T>> gauge) {}
    }

    private enum Counter implements LongCounter {
        NONE;

        @Override
        public void inc(long count) {}

        @Override
        public void dec(long count) {}

        @Override
        public long getCount() {
            return 0;
        }
    }
}
