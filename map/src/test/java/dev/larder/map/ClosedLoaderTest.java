package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a loader, also where there is no room for its last entries. */
@Timeout(120)
final class ClosedLoaderTest {

    private static final long MAX_BYTES = 24L << 20;
    private static final int LENGTH = 100_000;
    private static final long FIRST_STAGED = 1_000_000;
    private static final int STAGED = 20;

    @TempDir
    Path directory;

    private LarderMap<Long, byte[]> open() {
        return open(ValueCodec.bytes());
    }

    private LarderMap<Long, byte[]> open(ValueCodec<byte[]> values) {
        return LarderMap.open(
                directory,
                ValueCodec.longs(),
                values,
                MapOptions.defaults()
                        .withLog(TestMaps.options())
                        .withCleaning(
                                Cleaning.defaults().withMaxBytes(MAX_BYTES).withBackground(false)));
    }

    /** Puts new keys until the map is full; returns how many. */
    private static long fill(LarderMap<Long, byte[]> map) {
        for (long key = 0; key < 10_000; key++) {
            try {
                map.set(key, new byte[LENGTH]);
            } catch (DiskFullException e) {
                return key;
            }
        }
        throw new AssertionError("the map is never full");
    }

    /** Puts over a few keys until a put would have to clean; returns how many keys there are. */
    private static long fillWithDeadEntries(LarderMap<Long, byte[]> map) {
        long keys = 50;
        for (long i = 0; i < 10_000; i++) {
            try {
                long key = i % keys;
                map.withoutWaiting(() -> map.put(key, new byte[LENGTH]));
            } catch (NoRoomYetException e) {
                return keys;
            }
        }
        throw new AssertionError("no put was refused");
    }

    private static void stage(MapLoader<Long, byte[]> loader) {
        for (long i = 0; i < STAGED; i++) {
            loader.put(FIRST_STAGED + i, new byte[] {(byte) i});
        }
    }

    private static void requireStaged(LarderMap<Long, byte[]> map) {
        for (long i = 0; i < STAGED; i++) {
            assertThat(map.get(FIRST_STAGED + i)).containsExactly((byte) i);
        }
    }

    private void requireSound(long entries) {
        try (StoredMap stored = StoredMap.open(directory, TestMaps.options())) {
            MapVerifyReport report = stored.verify();
            assertThat(report.problems()).isEmpty();
            assertThat(report.entries()).isEqualTo(entries);
        }
    }

    /** Regression: the second closing linked the entries that the first one gave up to records of an earlier flush. */
    @Test
    void aClosingAfterOneThatFoundNoRoomPutsNothing() {
        long there;
        try (LarderMap<Long, byte[]> map = open()) {
            MapLoader<Long, byte[]> loader = map.loader();
            for (long i = 0; i < 2 * STAGED; i++) {
                loader.put(-1 - i, new byte[0]);
            }
            loader.flush();
            long keys = fill(map);
            stage(loader);
            assertThatThrownBy(loader::close).isInstanceOf(DiskFullException.class);
            for (long key = 0; key < keys / 2; key++) {
                map.delete(key);
            }
            map.compact();
            there = map.longSize();
            assertThat(there).isEqualTo(2 * STAGED + keys - keys / 2);
            loader.close();
            assertThat(map.longSize()).isEqualTo(there);
            assertThat(map.keySet()).hasSize((int) there).noneMatch(key -> key >= FIRST_STAGED);
        }
        requireSound(there);
    }

    /** A loader that has flushed nothing has no earlier position: the second closing took -1. */
    @Test
    void aClosingAfterOneThatFoundNoRoomPutsNothingWhereNothingWasFlushed() {
        long there;
        try (LarderMap<Long, byte[]> map = open()) {
            MapLoader<Long, byte[]> loader = map.loader();
            long keys = fill(map);
            stage(loader);
            assertThatThrownBy(loader::close).isInstanceOf(DiskFullException.class);
            for (long key = 0; key < keys / 2; key++) {
                map.delete(key);
            }
            map.compact();
            there = map.longSize();
            loader.close();
            assertThat(map.longSize()).isEqualTo(there);
        }
        requireSound(there);
    }

    /** A call that may not wait changes nothing if it would have to, so a closing leaves the entries staged. */
    @Test
    void aClosingThatMayNotWaitLeavesTheLoaderOpen() {
        long there;
        try (LarderMap<Long, byte[]> map = open()) {
            MapLoader<Long, byte[]> loader = map.loader();
            long keys = fillWithDeadEntries(map);
            stage(loader);
            for (int tries = 0; tries < 2; tries++) {
                assertThatThrownBy(() -> map.withoutWaiting(() -> {
                            loader.close();
                            return null;
                        }))
                        .isInstanceOf(NoRoomYetException.class);
            }
            assertThat(map.longSize()).isEqualTo(keys);
            loader.put(FIRST_STAGED + STAGED, new byte[] {7});
            loader.close();
            requireStaged(map);
            there = map.longSize();
            assertThat(there).isEqualTo(keys + STAGED + 1);
            assertThatThrownBy(loader::flush).isInstanceOf(ClosedException.class);
        }
        requireSound(there);
    }

    /** The map's own loader, which nobody can close again. */
    @Test
    void aLoadThatMayNotWaitFreesItsMemory() {
        SeenMemory values = new SeenMemory();
        try (LarderMap<Long, byte[]> map = open(values)) {
            fillWithDeadEntries(map);
            Map.Entry<Long, byte[]> entry = Map.entry(FIRST_STAGED, new byte[LENGTH]);
            Iterator<Map.Entry<Long, byte[]>> entries =
                    Stream.generate(() -> entry).limit(100).iterator();
            assertThatThrownBy(() -> map.withoutWaiting(() -> map.load(entries)))
                    .isInstanceOf(NoRoomYetException.class);
            assertThat(values.seen.scope().isAlive()).isFalse();
        }
    }

    /** A codec of bytes that keeps the memory to which it wrote last. */
    private static final class SeenMemory implements ValueCodec<byte[]> {

        private MemorySegment seen = MemorySegment.NULL;

        @Override
        public String name() {
            return "bytes";
        }

        @Override
        public int lengthBytes(byte[] value) {
            return value.length;
        }

        @Override
        public void write(byte[] value, MemorySegment segment, long offset, int length) {
            seen = segment;
            ValueCodec.bytes().write(value, segment, offset, length);
        }

        @Override
        public byte[] read(MemorySegment segment, long offset, int length) {
            return ValueCodec.bytes().read(segment, offset, length);
        }
    }

    @Test
    void refusesEntriesOnceItIsClosed() {
        try (LarderMap<Long, byte[]> map = open()) {
            MapLoader<Long, byte[]> loader = map.loader();
            stage(loader);
            loader.close();
            loader.close();
            requireStaged(map);
            byte[] value = {1};
            assertThatThrownBy(() -> loader.put(1L, value))
                    .isInstanceOf(ClosedException.class)
                    .hasMessage(directory + ": the loader was closed");
            assertThatThrownBy(() -> loader.put(1L, value, Instant.now().plusSeconds(9)))
                    .isInstanceOf(ClosedException.class);
            assertThatThrownBy(() -> loader.put(1L, value, Duration.ofSeconds(9)))
                    .isInstanceOf(ClosedException.class);
            assertThatThrownBy(loader::flush).isInstanceOf(ClosedException.class);
            assertThat(map).hasSize(STAGED);
        }
    }
}
