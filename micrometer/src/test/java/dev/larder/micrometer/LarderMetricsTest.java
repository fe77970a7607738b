package dev.larder.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import dev.larder.map.MapInfo;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueInfo;
import dev.larder.queue.Tailer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Meters show what {@code info()} and {@code counters()} say, and keep nothing open. */
@Timeout(300)
final class LarderMetricsTest {

    private static final LogOptions OPTIONS = LogOptions.defaults()
            .withLargestSegmentBytes(2L << 20)
            .withPrepareBytes(0)
            .withSync(SyncPolicy.none());

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir
    Path directory;

    private final StoppedClock clock = new StoppedClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    private static final class StoppedClock implements Clock {

        private long nanos;

        @Override
        public long wallTime() {
            return TimeUnit.NANOSECONDS.toMillis(nanos);
        }

        @Override
        public long monotonicTime() {
            return nanos;
        }
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double counter(String name) {
        return registry.get(name).functionCounter().count();
    }

    private void secondLater() {
        clock.nanos += 1_000_000_000;
    }

    /** Waits, because counts arrive ten times a second. */
    private static void await(Map<LogCounter, Long> expected, LarderQueue queue) throws InterruptedException {
        long start = System.nanoTime();
        while (!queue.counters().entrySet().containsAll(expected.entrySet())) {
            requirePatience(start);
        }
    }

    private static void requirePatience(long startNanos) throws InterruptedException {
        assertThat(System.nanoTime() - startNanos).as("patience").isLessThan(PATIENCE_NANOS);
        Thread.sleep(1);
    }

    @Test
    void showsAQueue() throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS);
                Tailer tailer = queue.tailer("name");
                QueueMetrics metrics = new QueueMetrics(queue, Tags.of("service", "mail"))) {
            metrics.bindTo(registry);
            queue.append("one");
            queue.append("two");
            tailer.poll((segment, offset, length) -> {});
            queue.sync();
            await(Map.of(LogCounter.APPENDS, 2L, LogCounter.SYNCS, 1L), queue);
            QueueInfo info = queue.info();
            assertThat(gauge("larder.queue.messages")).isEqualTo(2);
            assertThat(gauge("larder.queue.segments")).isEqualTo(info.segments());
            assertThat(gauge("larder.queue.file.bytes")).isEqualTo((double) info.bytes());
            assertThat(gauge("larder.queue.tailers")).isEqualTo(1);
            assertThat(gauge("larder.queue.lag.messages")).isEqualTo(1);
            assertThat(gauge("larder.queue.lag.bytes")).isEqualTo(16);
            assertThat(counter("larder.queue.appends")).isEqualTo(2);
            assertThat(counter("larder.queue.appended.bytes")).isEqualTo(32);
            assertThat(registry.get("larder.queue.syncs").functionTimer().count())
                    .isEqualTo(1);
            assertThat(registry.get("larder.queue.syncs").functionTimer().totalTime(TimeUnit.NANOSECONDS))
                    .isCloseTo( // seconds, and back
                            Objects.requireNonNull(queue.counters().get(LogCounter.SYNC_NANOS))
                                    .doubleValue(),
                            within(1.0));
            Meter.Id id = registry.get("larder.queue.appended.bytes").meter().getId();
            assertThat(id.getBaseUnit()).isEqualTo("bytes");
            assertThat(id.getTag("path")).isEqualTo(directory.toString());
            assertThat(id.getTag("name")).isEqualTo(directory.getFileName().toString());
            assertThat(id.getTag("service")).isEqualTo("mail");
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void showsALog() {
        try (Log log = Log.open(directory, OPTIONS);
                LogMetrics metrics = new LogMetrics(log)) {
            metrics.bindTo(registry);
            log.appender().append(new byte[100], 0, 100);
            assertThat(gauge("larder.log.unsynced.bytes")).isEqualTo(112);
            assertThat(gauge("larder.log.file.bytes"))
                    .isEqualTo((double) log.info().bytes());
            log.sync();
            assertThat(gauge("larder.log.unsynced.bytes")).isEqualTo(112);
            secondLater();
            assertThat(gauge("larder.log.unsynced.bytes")).isZero();
        }
    }

    @Test
    void showsAMap() {
        try (LarderMap<String, String> map =
                        LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), OPTIONS);
                MapMetrics metrics = new MapMetrics(map)) {
            metrics.bindTo(registry);
            map.put("key", "value");
            MapInfo info = map.info();
            assertThat(gauge("larder.map.entries")).isEqualTo(1);
            assertThat(gauge("larder.map.processes")).isEqualTo(1);
            assertThat(gauge("larder.map.live.bytes"))
                    .isEqualTo((double) info.space().liveBytes());
            assertThat(gauge("larder.map.index.bytes")).isEqualTo((double) info.indexBytes());
            assertThat(gauge("larder.map.cleaner.failed")).isZero();
            assertThat(counter("larder.map.evicted")).isZero();
            assertThat(counter("larder.map.hits")).isEqualTo((double) info.hits());
        }
    }

    @Test
    void readsAtMostOnceASecond() {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS)) {
            new QueueMetrics(queue).bindTo(registry);
            assertThat(gauge("larder.queue.messages")).isZero();
            queue.append("one");
            assertThat(gauge("larder.queue.messages")).isZero();
            secondLater();
            assertThat(gauge("larder.queue.messages")).isEqualTo(1);
        }
    }

    @Test
    void isNaNOnceTheSourceIsClosedAndKeepsItsCounts() throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS)) {
            new QueueMetrics(queue).bindTo(registry);
            queue.append("one");
            await(Map.of(LogCounter.APPENDS, 1L), queue);
            assertThat(counter("larder.queue.appends")).isEqualTo(1);
        }
        secondLater();
        assertThat(gauge("larder.queue.messages")).isNaN();
        assertThat(gauge("larder.queue.file.bytes")).isNaN();
        assertThat(counter("larder.queue.appends")).isEqualTo(1);
    }

    /** Damage hides the number of messages, and the tailers with it. All else is shown. */
    @Test
    void showsWhatDamageLeavesOfAQueue() throws IOException {
        long position;
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS.withIntegrity(IntegrityMode.RECORD));
                Tailer tailer = queue.tailer("name")) {
            assertThat(tailer.sequence()).isZero();
            position = queue.append("to be damaged");
            queue.sync();
        }
        damage(directory.resolve("0000000000.seg"), position);
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS);
                QueueMetrics metrics = new QueueMetrics(queue)) {
            metrics.bindTo(registry);
            registry.getMeters().forEach(meter -> meter.measure().forEach(Measurement::getValue));
            assertThat(gauge("larder.queue.messages")).isNaN();
            assertThat(gauge("larder.queue.segments")).isEqualTo(1);
            assertThat(gauge("larder.queue.file.bytes"))
                    .isEqualTo((double) queue.info().bytes());
            assertThat(gauge("larder.queue.tailers")).isEqualTo(1);
            assertThat(gauge("larder.queue.lag.messages")).isNaN();
            assertThat(gauge("larder.queue.lag.bytes"))
                    .isEqualTo((double) queue.tailers().getFirst().lagBytes());
            assertThat(counter("larder.queue.appends")).isEqualTo(1);
        }
    }

    private static void damage(Path segment, long position) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {'x'}), Position.offset(position) + 8);
        }
    }

    /** The registry holds the meters for good, and no meter holds the queue. */
    @Test
    void doesNotKeepAClosedQueueInMemory() throws InterruptedException {
        WeakReference<LarderQueue> forgotten = openAndClose();
        long start = System.nanoTime();
        while (forgotten.get() != null) {
            System.gc();
            requirePatience(start);
        }
        assertThat(gauge("larder.queue.messages")).isNaN();
        assertThat(counter("larder.queue.appends")).isZero();
    }

    private WeakReference<LarderQueue> openAndClose() {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS)) {
            new QueueMetrics(queue).bindTo(registry);
            return new WeakReference<>(queue);
        }
    }

    @Test
    void isNotBoundOnceItIsClosed() {
        try (LarderQueue queue = LarderQueue.open(directory, OPTIONS)) {
            QueueMetrics metrics = new QueueMetrics(queue);
            metrics.bindTo(registry);
            SimpleMeterRegistry second = new SimpleMeterRegistry();
            metrics.bindTo(second);
            metrics.close();
            assertThat(registry.getMeters()).isEmpty();
            assertThat(second.getMeters()).isEmpty();
            assertThatIllegalStateException()
                    .isThrownBy(() -> metrics.bindTo(registry))
                    .withMessageContaining(directory.toString());
        }
    }
}
