package dev.larder.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogCounter;
import dev.larder.log.LogInfo;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.SyncPolicy;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapInfo;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSpace;
import dev.larder.map.MapTime;
import dev.larder.queue.LarderQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each meter shows its own figure. Every figure but two is above zero, so that no other figure can stand for it. */
@Timeout(300)
final class EachMeterTest {

    private static final LogOptions OPTIONS = LogOptions.defaults()
            .withLargestSegmentBytes(2L << 20)
            .withPrepareBytes(0)
            .withSync(SyncPolicy.none());

    /** The counts of a log's background threads. */
    private static final Set<LogCounter> OF_BACKGROUND = EnumSet.of(
            LogCounter.PREPARED,
            LogCounter.POPULATED_BYTES,
            LogCounter.WRITTEN_BACK_BYTES,
            LogCounter.DROPPED,
            LogCounter.RECYCLED);

    private static final long PATIENCE_NANOS = 120_000_000_000L;

    /** Well above what the retention keeps, so that it always has something to drop. */
    private static final int SEGMENTS_MOST = 20;

    @TempDir
    Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double counter(String name) {
        return registry.get(name).functionCounter().count();
    }

    private double counter(String prefix, LogCounter counter) {
        return switch (counter) {
            case SYNCS -> registry.get(prefix + "syncs").functionTimer().count();
            case SYNC_NANOS ->
                Math.rint(registry.get(prefix + "syncs").functionTimer().totalTime(TimeUnit.NANOSECONDS));
            default -> counter(prefix + counter.name().toLowerCase(Locale.ROOT).replace('_', '.'));
        };
    }

    private void requireCounters(String prefix, Map<LogCounter, Long> counters) {
        assertThat(counters).containsOnlyKeys(LogCounter.values());
        counters.forEach((counter, count) -> assertThat(counter(prefix, counter))
                .as("%s", counter)
                .isPositive()
                .isEqualTo(count.doubleValue()));
    }

    private static long count(Log log, LogCounter counter) {
        return Objects.requireNonNull(log.counters().get(counter));
    }

    /**
     * Appends until the background has done work of all kinds. Waits while segments pile up: a flush on a busy disk can take as
     * long as the writer fills it, and nothing is dropped meanwhile.
     */
    private static void keepTheBackgroundBusy(Path at) throws InterruptedException {
        LogOptions busy = OPTIONS.withPrepareBytes(1L << 20)
                .withIntegrity(IntegrityMode.SEAL)
                .withDurability(durability -> durability.withEarlyWriteback(true))
                .withRetention(retention -> retention.withBytes(6L << 20));
        long start = System.nanoTime();
        try (Log log = Log.open(at, busy);
                LogAppender appender = log.appender()) {
            while (OF_BACKGROUND.stream().anyMatch(counter -> count(log, counter) == 0)) {
                assertThat(System.nanoTime() - start)
                        .as("patience with %s", log.counters())
                        .isLessThan(PATIENCE_NANOS);
                if (log.info().segments() > SEGMENTS_MOST) {
                    Thread.sleep(10);
                } else {
                    appender.append(new byte[100_000]);
                }
            }
        }
    }

    /** Copies a log in the middle of an append, for which a reader has waited, as if the process had died there. */
    private static void dieInAnAppend(Path from, Path to) {
        try (Log log = Log.open(from, OPTIONS);
                LogReader reader = log.reader();
                LogAppender appender = log.appender()) {
            readAll(reader);
            appender.append(100, (segment, offset, length) -> {
                waitInVain(reader);
                copy(from, to);
            });
        }
    }

    private static void waitInVain(LogReader reader) {
        try {
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ofMillis(20)))
                    .isFalse();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectory(to);
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readAll(LogReader reader) {
        int read = 1;
        while (read > 0) {
            read = reader.drain((segment, offset, length) -> {}, 100);
        }
    }

    @Test
    void showsItsCounterOfALogAndOfAQueue() throws InterruptedException {
        Path copy = directory.resolve("copy");
        keepTheBackgroundBusy(directory.resolve("log"));
        dieInAnAppend(directory.resolve("log"), copy);
        try (Log log = Log.open(copy, OPTIONS.withVerifyReads(true));
                LogReader reader = log.reader();
                LogMetrics metrics = new LogMetrics(log)) {
            readAll(reader);
            waitInVain(reader);
            log.sync();
            metrics.bindTo(registry);
            requireCounters("larder.log.", log.counters());
            LogInfo info = log.info();
            assertThat(gauge("larder.log.segments")).isGreaterThan(1).isEqualTo(info.segments());
            assertThat(gauge("larder.log.file.bytes")).isEqualTo((double) info.bytes());
        }
        try (LarderQueue queue = LarderQueue.open(copy, OPTIONS);
                QueueMetrics metrics = new QueueMetrics(queue)) {
            metrics.bindTo(registry);
            requireCounters("larder.queue.", queue.counters());
        }
    }

    /** Overwrites entries, lets some expire, and puts more than there is room for. */
    private static void useAllSpace(LarderMap<Long, byte[]> map, AtomicLong millis) {
        for (long key = 0; key < 2_000; key++) {
            map.set(key, new byte[1000], Duration.ofMillis(100));
        }
        millis.addAndGet(100);
        for (int round = 0; round < 3; round++) {
            for (long key = 2_000; key < 4_000; key++) {
                map.set(key, new byte[1000]);
            }
        }
        map.compact();
        for (long key = 4_000; map.info().space().evicted() == 0; key++) {
            assertThat(key).as("keys without an eviction").isLessThan(100_000);
            map.set(key, new byte[1000]);
        }
        map.set(0L, new byte[1]);
        map.set(0L, new byte[1]);
        assertThat(map.get(0L)).hasSize(1);
        assertThat(map.get(0L)).hasSize(1);
        assertThat(map.get(-1L)).isNull();
    }

    @Test
    void showsItsFigureOfAMap() {
        AtomicLong millis = new AtomicLong(1_800_000_000_000L);
        MapOptions options = MapOptions.defaults()
                .withLog(OPTIONS)
                .withCounted(true)
                .withTime(MapTime.of(() -> Instant.ofEpochMilli(millis.get())))
                .withCleaning(Cleaning.evicting(16L << 20).withBackground(false));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
                MapMetrics metrics = new MapMetrics(map)) {
            useAllSpace(map, millis);
            metrics.bindTo(registry);
            MapInfo info = map.info();
            assertThat(gauge("larder.map.entries")).isPositive().isEqualTo((double) info.entries());
            assertThat(gauge("larder.map.processes")).isEqualTo(1);
            assertThat(gauge("larder.map.index.bytes")).isPositive().isEqualTo((double) info.indexBytes());
            assertThat(gauge("larder.map.cold.key.bytes")).isEqualTo((double) info.coldKeyBytes());
            assertThat(gauge("larder.map.segments"))
                    .isGreaterThan(1)
                    .isEqualTo(info.log().segments());
            assertThat(gauge("larder.map.cleaner.failed")).isZero();
            assertThat(counter("larder.map.hits")).isEqualTo(2).isEqualTo((double) info.hits());
            assertThat(counter("larder.map.misses")).isEqualTo(1).isEqualTo((double) info.misses());
            requireSpace(info.space());
        }
    }

    private void requireSpace(MapSpace space) {
        assertThat(gauge("larder.map.file.bytes")).isPositive().isEqualTo((double) space.fileBytes());
        assertThat(gauge("larder.map.live.bytes")).isPositive().isEqualTo((double) space.liveBytes());
        assertThat(gauge("larder.map.dead.bytes")).isPositive().isEqualTo((double) space.deadBytes());
        assertThat(gauge("larder.map.write.amplification")).isGreaterThan(1).isEqualTo(space.writeAmplification());
        assertThat(counter("larder.map.evicted")).isPositive().isEqualTo((double) space.evicted());
        assertThat(counter("larder.map.expired")).isPositive().isEqualTo((double) space.expired());
        assertThat(counter("larder.map.cleaned.bytes")).isPositive().isEqualTo((double) space.cleanedBytes());
        assertThat(counter("larder.map.carried.bytes")).isPositive().isEqualTo((double) space.carriedBytes());
    }
}
