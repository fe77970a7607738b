package dev.larder.map.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogMismatchException;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.RecordTooLargeException;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapRepair;
import dev.larder.map.MapRepairReport;
import dev.larder.map.MapSnapshot;
import dev.larder.map.MapTime;
import dev.larder.map.MapVerifyReport;
import dev.larder.map.StoredMap;
import dev.larder.map.TestMaps;
import dev.larder.memory.CorruptException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values that are in the log before any key has them: what readers see of them, and what the cleaner leaves. */
@Timeout(120)
final class PendingValuesTest {

    private static final int VALUE_CHARS = 3000;
    private static final int INCOMPATIBLE_AT = 40;

    @TempDir
    Path directory;

    private Path folder() {
        return directory.resolve("map");
    }

    private static MapOptions options() {
        return PendingValues.in(MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false)));
    }

    private LarderMap<String, String> open() {
        return open(options());
    }

    private LarderMap<String, String> open(MapOptions options) {
        return LarderMap.open(folder(), ValueCodec.texts(), ValueCodec.texts(), options);
    }

    private static PendingValues.Part part(String key, String value) {
        return new PendingValues.Part(memory(key), memory(value));
    }

    private static MemorySegment memory(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private static String value(int number) {
        return ("value " + number + " ").repeat(VALUE_CHARS / 10);
    }

    private static void put(PendingValues pending, long index, String key, String value) {
        pending.put(pending.append(1, index, List.of(part(key, value))), 0, Optional.empty());
    }

    private static void requireIn(LarderMap<String, String> map, String key, String value) {
        assertThat(map.get(key)).isEqualTo(value);
        assertThat(map).containsKey(key).containsEntry(key, value);
        assertThat(map.getAll(List.of(key))).isEqualTo(Map.of(key, value));
        List<String> read = new ArrayList<>();
        assertThat(map.read(key, (memory, at, length) -> read.add(text(memory.asSlice(at, length)))))
                .isTrue();
        map.readAll(List.of(key), (same, memory, at, length) -> read.add(text(memory.asSlice(at, length))));
        assertThat(read).containsExactly(value, value);
        byte[] copy = new byte[value.length() + 1];
        assertThat(map.get(key, MemorySegment.ofArray(copy), 1)).isEqualTo(value.length());
        assertThat(new String(copy, 1, value.length(), StandardCharsets.UTF_8)).isEqualTo(value);
        byte[] small = new byte[value.length() - 1];
        assertThat(map.get(key, MemorySegment.ofArray(small), 0)).isEqualTo(value.length());
        assertThat(small).containsOnly(0);
        try (MapSnapshot<String, String> snapshot = map.snapshot()) {
            assertThat(snapshot.get(key)).isEqualTo(value);
            Map<String, String> all = new HashMap<>();
            snapshot.iterator().forEachRemaining(entry -> all.put(entry.getKey(), entry.getValue()));
            assertThat(all).containsEntry(key, value);
        }
    }

    @Test
    void readersFindTheValueInEachWay() {
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            long position =
                    pending.append(7, 9, List.of(part("a", value(1)), part("b", value(2)), part("a", value(3))));
            assertThat(map).isEmpty();
            assertThat(map.get("a")).isNull();
            pending.put(position, 1, Optional.empty());
            requireIn(map, "b", value(2));
            pending.put(position, 0, Optional.empty());
            requireIn(map, "a", value(1));
            pending.put(position, 2, Optional.empty());
            requireIn(map, "a", value(3));
            assertThat(map).hasSize(2);
            assertThat(map.liveBytes()).isBetween(2L * value(1).length(), 2L * value(1).length() + 200);
        }
    }

    @Test
    void changesFindItToo() {
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            List<String> told = new ArrayList<>();
            map.listener((key, value, cause) -> told.add(value));
            put(pending, 1, "a", value(1));
            assertThat(map.replace("a", "another", "new")).isFalse();
            assertThat(map.replace("a", value(1), "new")).isTrue();
            put(pending, 2, "a", value(2));
            assertThat(map.remove("a", "another")).isFalse();
            assertThat(map.putIfAbsent("a", "another")).isEqualTo(value(2));
            assertThat(map.compute("a", (key, before) -> before + "!")).isEqualTo(value(2) + "!");
            put(pending, 3, "a", value(3));
            assertThat(map.put("a", "short")).isEqualTo(value(3));
            put(pending, 4, "a", value(4));
            assertThat(map.remove("a")).isEqualTo(value(4));
            assertThat(map).isEmpty();
            assertThat(map.liveBytes()).isZero();
            assertThat(told).containsExactly(value(1), "new", value(2), value(2) + "!", value(3), "short", value(4));
        }
    }

    @Test
    void aReferenceExpires() {
        AtomicLong millis = new AtomicLong(1_800_000_000_000L);
        MapTime time = MapTime.of(() -> Instant.ofEpochMilli(millis.get()));
        try (LarderMap<String, String> map = open(options().withTime(time))) {
            PendingValues pending = PendingValues.of(map);
            Instant expiry = Instant.ofEpochMilli(millis.get() + 1000);
            long position = pending.append(1, 1, List.of(part("a", value(1)), part("b", value(2))));
            pending.put(position, 0, Optional.of(expiry));
            pending.put(position, 1, Optional.of(expiry));
            requireIn(map, "a", value(1));
            assertThat(map.expiry("a")).contains(expiry);
            pending.raiseFloor(pending.end());
            fill(map, 4000);
            map.compact();
            assertThat(map.expiry("a")).contains(expiry);
            requireIn(map, "a", value(1));
            millis.addAndGet(1000);
            assertThat(map.get("a")).isNull();
            assertThat(map.removeExpired("a")).isTrue();
        }
    }

    /** Puts so many bytes that the log reaches other segments. All of them are dead but the last value. */
    private static void fill(LarderMap<String, String> map, int times) {
        for (int i = 0; i < times; i++) {
            map.set("filler", value(i));
        }
    }

    @Test
    void theCleanerTakesNothingUntilTheFloorIsRaised() {
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            fill(map, 2000);
            map.compact();
            assertThat(map.info().space().cleanedBytes())
                    .as("the floor is not known")
                    .isZero();
            long first = pending.append(1, 1, List.of(part("a", value(1))));
            pending.raiseFloor(first);
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isPositive();
            pending.put(first, 0, Optional.empty());
            fill(map, 2000);
            long cleaned = map.info().space().cleanedBytes();
            map.compact();
            assertThat(map.info().space().cleanedBytes()).as("the floor").isEqualTo(cleaned);
            assertThat(pending.<String>read(first, record -> text(record.value(0))))
                    .isEqualTo(value(1));
            pending.raiseFloor(first + 1);
            pending.raiseFloor(0);
            map.compact();
            assertThat(map.info().space().cleanedBytes()).isGreaterThan(cleaned);
            requireIn(map, "a", value(1));
            assertThatThrownBy(() -> pending.<String>read(first, record -> ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("before the floor");
            assertThatThrownBy(() -> pending.put(first, 0, Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class);
            long second = pending.append(1, 2, List.of(part("b", value(2))));
            fill(map, 2000);
            map.compact();
            assertThat(pending.<Long>read(second, PendingRecord::index)).isEqualTo(2);
            assertThat(map.info().space().fileBytes()).isLessThan(24L << 20);
        }
    }

    /** Values stay apart from their entries, and the cleaner carries them, while others read them. */
    @Test
    void readersBesideTheCleanerFindEachValue() throws InterruptedException {
        int keys = 20;
        AtomicReference<Throwable> failed = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            for (int key = 0; key < keys; key++) {
                put(pending, key, "key " + key, "key " + key + value(0));
            }
            List<Thread> readers = List.of(
                    reader(ended, failed, number -> {
                        String key = "key " + number % keys;
                        assertThat(map.get(key)).startsWith(key);
                        byte[] copy = new byte[VALUE_CHARS * 2];
                        int length = map.get(key, MemorySegment.ofArray(copy), 0);
                        assertThat(new String(copy, 0, length, StandardCharsets.UTF_8))
                                .startsWith(key + "value");
                    }),
                    reader(ended, failed, number -> {
                        map.read(
                                "key 1",
                                (memory, at, length) -> assertThat(text(memory.asSlice(at, length)))
                                        .startsWith("key 1value"));
                        map.forEach((key, value) -> assertThat(value).startsWith(key));
                        try (MapSnapshot<String, String> snapshot = map.snapshot()) {
                            assertThat(snapshot.longSize()).isEqualTo(keys);
                            snapshot.iterator()
                                    .forEachRemaining(entry ->
                                            assertThat(entry.getValue()).startsWith(entry.getKey()));
                        }
                    }));
            for (int i = 0; i < 3000 && failed.get() == null; i++) {
                String key = "key " + i % (keys / 2);
                put(pending, i, key, key + value(i));
                if (i % 50 == 0) {
                    pending.raiseFloor(pending.end());
                }
                if (i % 200 == 0) {
                    map.compact();
                }
            }
            ended.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            assertThat(failed.get()).isNull();
            assertThat(map.info().space().carriedBytes()).isPositive();
        }
    }

    private static Thread reader(AtomicBoolean ended, AtomicReference<Throwable> failed, IntConsumer read) {
        return Thread.ofPlatform().start(() -> {
            try {
                for (int number = 0; !ended.get(); number++) {
                    read.accept(number);
                }
            } catch (RuntimeException | Error e) {
                failed.set(e);
            }
        });
    }

    @Test
    void allIsFoundAgainAfterAnOpening() throws IOException {
        Path killed = directory.resolve("killed");
        long floor;
        Map<String, String> expected = new HashMap<>();
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            pending.append(1, 1, List.of(part("never", value(0))));
            for (int i = 0; i < 40; i++) {
                put(pending, 2 + i, "key " + i % 30, value(i));
                expected.put("key " + i % 30, value(i));
                if (i == 20) {
                    map.checkpoint();
                }
            }
            floor = pending.append(2, 100, List.of(part("later", value(100)), part("more", "")));
            map.sync();
            TestMaps.copy(folder(), killed);
        }
        for (Path path : List.of(folder(), killed)) {
            try (LarderMap<String, String> map = LarderMap.open(
                    path,
                    ValueCodec.texts(),
                    ValueCodec.texts(),
                    MapOptions.defaults().withLog(TestMaps.options()))) {
                assertThat(map).isEqualTo(expected);
                PendingValues pending = PendingValues.of(map);
                List<String> found = new ArrayList<>();
                pending.scan(0, record -> found.add(record.term() + " " + record.index()));
                assertThat(found).hasSize(42).startsWith("1 1", "1 2").endsWith("2 100");
                List<Long> behind = new ArrayList<>();
                assertThat(pending.scan(floor, record -> behind.add(record.position())))
                        .isEqualTo(pending.end());
                assertThat(behind).containsExactly(floor);
                pending.put(floor, 0, Optional.empty());
                pending.put(floor, 1, Optional.empty());
                assertThat(map.get("later")).isEqualTo(value(100));
                assertThat(map.get("more")).isEmpty();
            }
            requireSound(path);
        }
        try (LarderMap<String, String> map = LarderMap.open(
                folder(),
                ValueCodec.texts(),
                ValueCodec.texts(),
                TestMaps.options().withReadOnly(true))) {
            expected.put("later", value(100));
            expected.put("more", "");
            assertThat(map).isEqualTo(expected);
            assertThatThrownBy(() -> PendingValues.of(map)).isInstanceOf(ReadOnlyException.class);
        }
    }

    private static void requireSound(Path path) {
        try (StoredMap stored = StoredMap.open(path, TestMaps.options())) {
            MapVerifyReport report = stored.verify();
            assertThat(report.problems()).isEmpty();
            assertThat(report.liveBytes()).isGreaterThan(30L * value(0).length());
        }
    }

    @Test
    void aRepairHasTheValues() {
        Map<String, String> expected = new HashMap<>();
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            pending.raiseFloor(pending.end());
            for (int i = 0; i < 1500; i++) {
                put(pending, i, "key " + i % 100, value(i));
                pending.raiseFloor(pending.end());
                expected.put("key " + i % 100, value(i));
            }
            map.compact();
            put(pending, 2000, "last", value(2000));
            expected.put("last", value(2000));
        }
        Path target = directory.resolve("target");
        MapRepairReport report = MapRepair.repair(folder(), target, TestMaps.options());
        assertThat(report.problems()).isEmpty();
        try (LarderMap<String, String> map =
                LarderMap.open(target, ValueCodec.texts(), ValueCodec.texts(), TestMaps.options())) {
            assertThat(map).isEqualTo(expected);
            assertThatThrownBy(() -> PendingValues.of(map))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessageContaining("without pending records");
        }
    }

    @Test
    void whatCannotBeIsRefused() throws IOException {
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            map.set("a", "b");
            long entry = map.version("a");
            long position = pending.append(1, 1, List.of(part("k", "v")));
            long end = pending.end();
            byte[] large = new byte[(int) pending.maxBytes()];
            assertThatThrownBy(() -> pending.append(
                            1, 2, List.of(new PendingValues.Part(memory("k"), MemorySegment.ofArray(large)))))
                    .isInstanceOf(RecordTooLargeException.class);
            assertThatThrownBy(() -> pending.append(
                            1, 2, List.of(new PendingValues.Part(MemorySegment.ofArray(large), memory("k")))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> pending.append(1, 2, List.of())).isInstanceOf(IllegalArgumentException.class);
            for (int part : new int[] {-1, 1}) {
                assertThatThrownBy(() -> pending.put(position, part, Optional.empty()))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> pending.put(entry, 0, Optional.empty()))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("not a pending record");
            assertThatThrownBy(() -> pending.<String>read(3, record -> ""))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(pending.end()).isEqualTo(end);
        }
        byte[] header = Files.readAllBytes(folder().resolve("map.ctl"));
        long incompatible =
                ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(INCOMPATIBLE_AT);
        assertThat(incompatible).as("what earlier releases refuse").isEqualTo(1);
        Path without = directory.resolve("without");
        TestMaps.longs(without).close();
        assertThatThrownBy(() -> TestMaps.longs(without, options()))
                .isInstanceOf(LogMismatchException.class)
                .hasMessageContaining("map.ctl");
    }

    /** A call returns the result of its reader, also if that is null. */
    @Test
    void aReaderMayReturnNothing() {
        try (LarderMap<String, String> map = open()) {
            PendingValues pending = PendingValues.of(map);
            long position = pending.append(3, 4, List.of(part("k", "v")));
            assertThat(pending.<@Nullable Object>read(position, record -> null)).isNull();
            String all = Objects.requireNonNull(pending.<String>read(
                    position,
                    record -> record.position() + " " + record.term() + " " + record.index() + " " + record.count()
                            + " " + text(record.key(0)) + " " + text(record.value(0))));
            assertThat(all).isEqualTo(position + " 3 4 1 k v");
        }
    }
}
