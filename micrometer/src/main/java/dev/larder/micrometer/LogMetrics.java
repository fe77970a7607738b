package dev.larder.micrometer;

import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.log.LogInfo;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;

/** The meters of a {@link Log}. Their names begin with {@code larder.log}. */
public final class LogMetrics extends LarderMetrics {

    private final WeakReference<Log> log;

    private record Snapshot(LogInfo info, long unsyncedBytes, Map<LogCounter, Long> counters) {

        static Snapshot of(Log log) {
            LogInfo info = log.info();
            long unsynced =
                    log.bytesBetween(info.durablePosition(), Math.max(info.durablePosition(), info.endPosition()));
            return new Snapshot(info, unsynced, log.counters());
        }
    }

    /** Metrics of a log that is open. */
    public LogMetrics(Log log) {
        this(log, List.of());
    }

    /** Metrics with further tags. */
    public LogMetrics(Log log, Iterable<Tag> tags) {
        super(log.directory(), tags);
        this.log = new WeakReference<>(log);
    }

    @Override
    MeterSet<?, ?> register(MeterRegistry registry, Tags all) {
        Snapshots<Log, Snapshot> snapshots =
                new Snapshots<>(of(log), Snapshot::of, registry.config().clock());
        return new MeterSet<>(registry, "larder.log.", all, snapshots)
                .gauge("segments", "segment files", now -> now.info().segments())
                .gauge(
                        "file.bytes",
                        "bytes of the segment files",
                        now -> now.info().bytes())
                .gauge("unsynced.bytes", "appended and not yet durable", Snapshot::unsyncedBytes)
                .counters(Snapshot::counters);
    }
}
