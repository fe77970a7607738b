package dev.larder.micrometer;

import dev.larder.log.LogCounter;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueInfo;
import dev.larder.queue.TailerInfo;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The meters of a {@link LarderQueue}. Their names begin with {@code larder.queue}. */
public final class QueueMetrics extends LarderMetrics {

    private final WeakReference<LarderQueue> queue;

    private record Snapshot(QueueInfo info, Optional<List<TailerInfo>> tailers, Map<LogCounter, Long> counters) {

        static Snapshot of(LarderQueue queue) {
            return new Snapshot(queue.info(), tailersOf(queue), queue.counters());
        }

        /** Empty if damage hides how many messages come before the tailers: an examination of damage needs the rest. */
        private static Optional<List<TailerInfo>> tailersOf(LarderQueue queue) {
            try {
                return Optional.of(queue.tailers());
            } catch (CorruptException | StorageException e) {
                return Optional.empty();
            }
        }

        double messages() {
            return info.messages().isPresent() ? info.messages().getAsLong() : Double.NaN;
        }

        double tailerCount() {
            return tailers.isPresent() ? tailers.get().size() : Double.NaN;
        }

        double largest(ToLongFunction<TailerInfo> lag) {
            return tailers.isPresent()
                    ? tailers.get().stream().mapToLong(lag).max().orElse(0)
                    : Double.NaN;
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
                .gauge("tailers", "named tailers", Snapshot::tailerCount)
                .gauge(
                        "lag.messages",
                        "messages that the slowest named tailer has not processed",
                        now -> now.largest(TailerInfo::lagMessages))
                .gauge(
                        "lag.bytes",
                        "bytes of messages that a named tailer has not processed; the most of all",
                        now -> now.largest(TailerInfo::lagBytes))
                .counters(Snapshot::counters);
    }
}
