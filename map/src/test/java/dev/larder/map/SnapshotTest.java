package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots: what a map held at one moment, whatever happens to the map later. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SnapshotTest {

    private static final int KEYS = 2000;

    @TempDir
    Path directory;

    private LarderMap<Long, String> open() {
        return open(TestMaps.options());
    }

    private LarderMap<Long, String> open(LogOptions options) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts(), options);
    }

    private static Map<Long, String> entries(MapSnapshot<Long, String> snapshot) {
        Map<Long, String> found = new HashMap<>();
        snapshot.forEach(entry -> assertThat(found.put(entry.getKey(), entry.getValue()))
                .as("%s twice", entry.getKey())
                .isNull());
        return found;
    }

    private static String value(int version, long key) {
        return version + ":" + key + "x".repeat((int) (key * 31 % 700));
    }

    /** Overwrites, removes and adds some entries. */
    private static void change(LarderMap<Long, String> map, Map<Long, String> known, int version) {
        Random random = new Random(version);
        for (int i = 0; i < KEYS; i++) {
            long key = random.nextInt(2 * KEYS);
            if (random.nextInt(4) == 0) {
                map.remove(key);
                known.remove(key);
            } else {
                map.set(key, value(version, key));
                known.put(key, value(version, key));
            }
        }
    }

    @Test
    void shouldHoldWhatTheMapHeldWhileItIsOverwrittenCleanedAndTakenAgain() {
        Map<Long, String> known = new HashMap<>();
        try (LarderMap<Long, String> map = open()) {
            change(map, known, 0);
            Map<Long, String> early = Map.copyOf(known);
            try (MapSnapshot<Long, String> first = map.snapshot()) {
                for (int version = 1; version < 20; version++) {
                    change(map, known, version);
                }
                long cleaned = map.info().space().cleanedBytes();
                map.compact();
                assertThat(map.info().space().cleanedBytes())
                        .as("segments were dropped")
                        .isGreaterThan(cleaned);
                Map<Long, String> late = Map.copyOf(known);
                try (MapSnapshot<Long, String> second = map.snapshot()) {
                    change(map, known, 20);
                    map.compact();
                    assertThat(entries(second)).isEqualTo(late);
                    assertThat(second.longSize()).isEqualTo(late.size());
                }
                assertThat(entries(first)).isEqualTo(early);
                assertThat(first.longSize()).isEqualTo(early.size());
                for (long key = 0; key < 2 * KEYS; key++) {
                    String found = first.get(key);
                    assertThat(found).as("key %s", key).isEqualTo(early.get(key));
                    assertThat(first.containsKey(key)).isEqualTo(early.containsKey(key));
                }
            }
        }
    }

    @Test
    void shouldBeOfOneMomentBesideAWriterWhoGoesFromKeyToKey() {
        try (LarderMap<Long, String> map = open()) {
            for (long key = 0; key < KEYS; key++) {
                map.set(key, value(0, key));
            }
            AtomicBoolean ended = new AtomicBoolean();
            CompletableFuture<Void> writer = OtherThread.run(() -> {
                for (int version = 1; !ended.get(); version++) {
                    for (long key = 0; key < KEYS; key++) {
                        map.set(key, value(version, key));
                    }
                }
            });
            int before = 0;
            for (int i = 0; i < 15 || before == 0; i++) { // until the writer has begun a second round
                assertThat(writer).isNotDone();
                try (MapSnapshot<Long, String> snapshot = map.snapshot()) {
                    before = requirePrefix(snapshot, before);
                }
            }
            ended.set(true);
            writer.join();
        }
    }

    /** Checks that all keys up to some key have one version, and all later keys the version before it. */
    private static int requirePrefix(MapSnapshot<Long, String> snapshot, int before) {
        int first = version(snapshot, 0);
        int last = first;
        for (long key = 0; key < KEYS; key++) {
            int version = version(snapshot, key);
            assertThat(version)
                    .as("version of key %s, the one before has %s", key, last)
                    .isBetween(first - 1, last);
            last = version;
        }
        assertThat(first).isGreaterThanOrEqualTo(before);
        return last;
    }

    private static int version(MapSnapshot<Long, String> snapshot, long key) {
        String found = snapshot.get(key);
        Objects.requireNonNull(found, () -> "key " + key);
        return Integer.parseInt(found, 0, found.indexOf(':'), 10);
    }

    @Test
    void shouldReadInPlaceAndKeepWhatHasExpiredSince() {
        StoppedClock clock = new StoppedClock(1_800_000_000_000L);
        try (LarderMap<Long, String> map = open(HookedOptions.withStorage(TestMaps.options(), clock))) {
            map.set(1L, "gone", Duration.ofMillis(100));
            clock.pass(100);
            map.set(2L, "9", Duration.ofMillis(100));
            try (MapSnapshot<Long, String> snapshot = map.snapshot()) {
                clock.pass(100);
                assertThat(map.containsKey(2L)).isFalse();
                map.compact();
                assertThat(snapshot.containsKey(1L)).isFalse();
                assertThat(snapshot.get(2L)).isEqualTo("9");
                assertThat(snapshot.read(2L, (segment, offset, length) -> {
                            assertThat(segment.get(ValueLayout.JAVA_BYTE, offset))
                                    .isEqualTo((byte) '9');
                            assertThat(length).isEqualTo(1);
                        }))
                        .isTrue();
                assertThat(snapshot.read(3L, (segment, offset, length) -> {})).isFalse();
                assertThat(entries(snapshot)).containsOnlyKeys(2L);
            }
        }
    }

    @Test
    void shouldLeaveNothingAndTellWhatWasClosed() throws IOException {
        LarderMap<String, String> map = TestMaps.texts(directory);
        map.put("a", "1");
        MapSnapshot<String, String> closed = map.snapshot();
        closed.close();
        closed.close();
        assertThatThrownBy(() -> closed.get("a"))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("snapshot");
        assertThatThrownBy(closed::iterator).isInstanceOf(ClosedException.class);
        MapSnapshot<String, String> left = map.snapshot();
        Iterator<Map.Entry<String, String>> entries = left.iterator();
        assertThat(entries.next()).isEqualTo(Map.entry("a", "1"));
        assertThat(entries.hasNext()).isFalse();
        assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
        map.close();
        assertThatThrownBy(() -> left.containsKey("a")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(map::snapshot).isInstanceOf(ClosedException.class);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".index")))
                    .isEmpty();
        }
    }

    @Test
    void shouldRefuseMoreThanThereAreLinesFor() {
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            for (int i = 0; i < 64; i++) {
                map.snapshot();
            }
            assertThatThrownBy(map::snapshot)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("64");
            map.put("still", "works");
            assertThat(map.get("still")).isEqualTo("works");
        }
    }

    @Test
    void shouldBeTakenByAFunctionOfCompute() {
        try (LarderMap<String, Long> map =
                LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), TestMaps.options())) {
            map.put("a", 1L);
            Long held = map.compute("a", (key, value) -> {
                try (MapSnapshot<String, Long> snapshot = map.snapshot()) { // a function runs outside of the change
                    return snapshot.longSize();
                }
            });
            assertThat(held).isEqualTo(1);
        }
    }

    private static void overwrite(LarderMap<Long, byte[]> map, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (long key = 0; key < KEYS; key++) {
                map.set(key, new byte[2_000]);
            }
        }
    }

    /** The space that a snapshot holds cannot be freed. Cleaning to free it would only add to it. */
    @Test
    void shouldNotKeepTheCleanerAtWork() throws InterruptedException {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory)) {
            overwrite(map, 1);
            try (MapSnapshot<Long, byte[]> snapshot = map.snapshot()) {
                overwrite(map, 10);
                AtomicLong cleaned = new AtomicLong(-1); // the cleaner may still be at work on the last overwrites
                await().atMost(Duration.ofMinutes(2))
                        .pollInterval(Duration.ofMillis(700))
                        .until(() -> {
                            long now = map.info().space().cleanedBytes();
                            return cleaned.getAndSet(now) == now;
                        });
                assertThat(snapshot.longSize()).isEqualTo(KEYS);
                assertThat(map.info().space().fileBytes()).as("held").isGreaterThan(10L * KEYS * 2_000);
            }
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(map.info().space().fileBytes())
                            .as("given back")
                            .isLessThan(8L * KEYS * 2_000));
        }
    }

    @Test
    void shouldBeNamedWhereItLeavesNoRoom() {
        MapOptions bounded = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withMaxBytes(32L << 20));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), bounded)) {
            overwrite(map, 1);
            try (MapSnapshot<Long, byte[]> snapshot = map.snapshot()) {
                assertThatThrownBy(() -> overwrite(map, 20))
                        .isInstanceOf(DiskFullException.class)
                        .hasMessageContaining("readers and snapshots hold");
                assertThat(snapshot.longSize()).isEqualTo(KEYS);
                assertThat(map.info().space().fileBytes()).isLessThan(40L << 20);
            }
            overwrite(map, 20);
        }
    }

    /** As if this process were stopped meanwhile, and another one continued. */
    @Test
    void isTakenAgainWhereWhatItStillHadToReadWasDropped() {
        AtomicInteger copies = new AtomicInteger();
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (step.equals("snapshot.copied") && copies.incrementAndGet() < 3) {
                meanwhile.get().run();
            }
        });
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            AtomicInteger round = new AtomicInteger();
            meanwhile.set(() -> {
                int written = round.incrementAndGet();
                for (long put = 0; put < 50; put++) {
                    map.set(put % 10, new byte[100_000 + written]);
                }
                map.compact();
            });
            meanwhile.get().run();
            try (MapSnapshot<Long, byte[]> snapshot = map.snapshot()) {
                assertThat(copies).as("begun").hasValue(3);
                meanwhile.get().run();
                for (long key = 0; key < 10; key++) {
                    assertThat(snapshot.get(key)).hasSize(100_003);
                }
                assertThat(snapshot.longSize()).isEqualTo(10);
            }
        }
    }

    /** The JVM has no memory for one step of closing a snapshot, the first time. */
    private static LogOptions failingClose(AtomicInteger closed) {
        return HookedOptions.withFailpoints(TestMaps.options(), step -> {
            if (step.equals("close.snapshot") && closed.getAndIncrement() == 0) {
                throw new OutOfMemoryError("at the first close");
            }
        });
    }

    private void requireLeft() {
        try (LarderMap<Long, String> again =
                open()) { // would be refused if the first were still open, for its other options
            assertThat(again).hasSize(1);
        }
    }

    /** Another opening keeps the map open meanwhile. When the last opening of a map ends, it closes all snapshots. */
    @Test
    void anErrorAtACloseKeepsNeitherAnotherSnapshotOpenNorTheMap() {
        AtomicInteger closed = new AtomicInteger();
        LogOptions failing = failingClose(closed);
        try (LarderMap<Long, String> other = open(failing)) {
            LarderMap<Long, String> map = open(failing);
            map.set(1L, "one");
            for (int i = 0; i < 3; i++) {
                assertThat(map.snapshot().longSize()).isEqualTo(1);
            }
            assertThatThrownBy(map::close).isInstanceOf(OutOfMemoryError.class);
            assertThat(closed).hasValue(3);
            assertThat(other).hasSize(1);
        }
        requireLeft();
    }

    /** As if other threads took snapshots while the map is closed: its last opening closes the snapshots of all. */
    @Test
    void anErrorAtTheCloseOfALateSnapshotKeepsNeitherAnotherOpenNorTheMap() {
        AtomicInteger closed = new AtomicInteger();
        LarderMap<Long, String> map = open(failingClose(closed));
        map.set(1L, "one");
        for (int i = 0; i < 3; i++) {
            assertThat(map.session().snapshot(this).longSize()).isEqualTo(1);
        }
        assertThatThrownBy(map::close).isInstanceOf(OutOfMemoryError.class);
        assertThat(closed).hasValue(3);
        requireLeft();
    }

    @Test
    void holdsNoRecordsAfterAnErrorAtItsClose() {
        try (LarderMap<Long, String> map = open(failingClose(new AtomicInteger()))) {
            Map<Long, String> known = new HashMap<>();
            MapSnapshot<Long, String> snapshot = map.snapshot();
            for (int version = 0; version < 20; version++) {
                change(map, known, version);
            }
            map.compact();
            long held = map.info().space().fileBytes();
            assertThatThrownBy(snapshot::close).isInstanceOf(OutOfMemoryError.class);
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                map.compact();
                assertThat(map.info().space().fileBytes()).as("given back").isLessThan(held / 2);
            });
        }
    }

    /** A segment that another process fills just before the copy begins is mapped by this process before it can be dropped. */
    @Test
    void keepsWhatAnotherProcessAddsJustBeforeTheCopy() throws IOException {
        assumeThat(TestMaps.storage().isNative()).isTrue();
        try (OtherProcess other = new OtherProcess(directory)) {
            LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
                if (step.equals("snapshot.held")) {
                    try {
                        other.fill();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
            MapOptions byHand = MapOptions.defaults()
                    .withLog(options)
                    .withCleaning(Cleaning.defaults().withBackground(false));
            try (LarderMap<Long, byte[]> map =
                            LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), byHand);
                    MapSnapshot<Long, byte[]> snapshot = map.snapshot()) {
                other.empty();
                AtomicInteger found = new AtomicInteger();
                snapshot.forEach(entry -> found.addAndGet(entry.getValue().length));
                assertThat(found).hasValue(2 + OtherProcess.KEYS * OtherProcess.LENGTH);
            }
        }
    }
}
