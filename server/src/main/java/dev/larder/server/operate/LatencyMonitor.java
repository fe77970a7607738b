package dev.larder.server.operate;

import dev.larder.server.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Records what took longer than a threshold, by kind: the worst time of each second, for some seconds. Thread-safe. */
final class LatencyMonitor {

    /**
     * The worst time of a second.
     *
     * @param second in seconds since 1970
     * @param millis how long it took
     */
    record Sample(long second, long millis) {}

    /** The samples of a kind. */
    static final class Series {
        private final List<Sample> samples = new ArrayList<>();
        private long worst;

        private void add(Sample sample) {
            worst = Math.max(worst, sample.millis());
            Sample last = samples.isEmpty() ? null : samples.getLast();
            if (last != null && last.second() == sample.second()) {
                samples.set(samples.size() - 1, last.millis() >= sample.millis() ? last : sample);
                return;
            }
            samples.add(sample);
            if (samples.size() > SAMPLES_MAX) {
                samples.removeFirst();
            }
        }
    }

    private static final int SAMPLES_MAX = 160;
    private static final int MILLI_NANOS = 1_000_000;
    private static final int MILLIS = 1000;

    private final Map<String, Series> all = new TreeMap<>();
    private volatile long thresholdNanos;

    LatencyMonitor(Settings settings) {
        settings.onChange("latency-monitor-threshold", value -> thresholdNanos = nanos(Long.parseLong(value)));
    }

    private static long nanos(long millis) {
        return millis == 0 || millis > Long.MAX_VALUE / MILLI_NANOS ? Long.MAX_VALUE : millis * MILLI_NANOS;
    }

    boolean isOn() {
        return thresholdNanos != Long.MAX_VALUE;
    }

    boolean takes(long nanos) {
        return nanos >= thresholdNanos;
    }

    synchronized void add(String kind, long nanos) {
        all.computeIfAbsent(kind, key -> new Series())
                .add(new Sample(System.currentTimeMillis() / MILLIS, nanos / MILLI_NANOS));
    }

    /**
     * The state of a kind.
     *
     * @param last its last sample
     * @param worst its worst time in milliseconds
     */
    record Latest(String kind, Sample last, long worst) {}

    /** Returns the state of all kinds at one moment. */
    synchronized List<Latest> latest() {
        return all.entrySet().stream()
                .map(entry ->
                        new Latest(entry.getKey(), entry.getValue().samples.getLast(), entry.getValue().worst))
                .toList();
    }

    synchronized List<String> kinds() {
        return List.copyOf(all.keySet());
    }

    synchronized List<Sample> samples(String kind) {
        Series series = all.get(kind);
        return series == null ? List.of() : List.copyOf(series.samples);
    }

    synchronized long worst(String kind) {
        Series series = all.get(kind);
        return series == null ? 0 : series.worst;
    }

    synchronized boolean forget(String kind) {
        return all.remove(kind) != null;
    }
}
