package dev.larder.micrometer;

import dev.larder.log.LogCounter;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueInfo;
import dev.larder.queue.TailerInfo;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;

/** The meters of a {@link LarderQueue}. Their names begin with {@code larder.queue}. */
public final class QueueMetrics extends LarderMetrics {

    private final WeakReference<LarderQueue> queue;

    private record Snapshot(QueueInfo info, List<TailerInfo> tailers, Map<LogCounter, Long> counters) {

        static Snapshot of(LarderQueue queue) {
            return new Snapshot(queue.info(), queue.tailers(), queue.counters());
        }

        double messages() {
            return info.messages().isPresent() ? info.messages().getAsLong() : Double.NaN;
        }

        double mostBytes() {
            return tailers.stream().mapToLong(TailerInfo::lagBytes).max().orElse(0);
        }

        /** Returns the largest lag that is known; NaN if there are tailers, and damage hides the lag of all of them. */
        double mostMessages() {
            return tailers.stream().flatMapToLong(tailer -> tailer.lagMessages().stream()).max().stream()
                    .asDoubleStream()
                    .findFirst()
                    .orElse(tailers.isEmpty() ? 0 : Double.NaN);
        }
    }

    /** Metrics of a queue that is open. */
    public QueueMetrics(LarderQueue queue) {
        this(queue, List.of());
    }

    /** Metrics with further tags. */
    public QueueMetrics(LarderQueue queue, Iterable<Tag> tags) {
        super(queue.codecFolder().directory(), tags);
        this.queue = new WeakReference<>(queue);
    }

    @Override
    MeterSet<?, ?> register(MeterRegistry registry, Tags all) {
        Snapshots<LarderQueue, Snapshot> snapshots =
                new Snapshots<>(of(queue), Snapshot::of, registry.config().clock());
        return new MeterSet<>(registry, "larder.queue.", all, snapshots)
                .gauge("messages", "messages that can be read", Snapshot::messages)
                .gauge("segments", "segment files", now -> now.info().segments())
                .gauge(
                        "file.bytes",
                        "bytes of the segment files",
                        now -> now.info().bytes())
                .gauge("tailers", "named tailers", now -> now.tailers().size())
                .gauge(
                        "lag.messages",
                        "messages that the slowest named tailer has not processed",
                        Snapshot::mostMessages)
                .gauge(
                        "lag.bytes",
                        "bytes of messages that a named tailer has not processed; the most of all",
                        Snapshot::mostBytes)
                .counters(Snapshot::counters);
    }
}
