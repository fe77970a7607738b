package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.Codec;
import dev.larder.codec.ValueCodec;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A codec that keeps its place in the bytes calls the map, or its loader, in the middle of a key or a value. */
@Timeout(120)
final class NestedCodecsTest {

    private static final ValueCodec<Long> LONGS = ValueCodec.longs();

    @TempDir
    Path directory;

    /** Runs once, when a component is read or an object is made next. */
    private static @Nullable Runnable call;

    @AfterEach
    void forget() {
        call = null;
    }

    private static void callOnce() {
        Runnable once = call;
        call = null;
        if (once != null) {
            once.run();
        }
    }

    record Key(long first, long second) {

        @Override
        public long second() {
            callOnce();
            return second;
        }
    }

    record Inner(long number) {

        Inner {
            callOnce();
        }
    }

    record Outer(Inner inner, long last) {}

    private static Outer outer(long number) {
        return new Outer(new Inner(number), -number);
    }

    /** The key of a function that runs again was once laid out by the codec that was just laying out another key. */
    @Test
    void aComputationWithinAKeyLeavesTheKeyWhole() {
        Codec<Key> keys = Codec.records(Key.class, MethodHandles.lookup());
        try (LarderMap<Key, Long> map = LarderMap.open(directory, keys, LONGS, TestMaps.options())) {
            map.put(new Key(1, 1), 10L);
            call = () -> computeTwice(map, new Key(2, 2));
            assertThat(map.get(new Key(1, 1))).isEqualTo(10L);
            call = () -> computeTwice(map, new Key(3, 3));
            map.put(new Key(4, 4), 40L);
            assertThat(map)
                    .containsEntry(new Key(1, 1), 10L)
                    .containsEntry(new Key(2, 2), 6L)
                    .containsEntry(new Key(3, 3), 6L)
                    .containsEntry(new Key(4, 4), 40L)
                    .hasSize(4);
        }
    }

    /** The function changes the entry the first time, so it runs again, and the map then notes the key. */
    private static void computeTwice(LarderMap<Key, Long> map, Key key) {
        map.compute(key, (same, value) -> {
            if (value == null) {
                map.put(key, 5L);
            }
            return value == null ? 0L : value + 1;
        });
    }

    /** An entry that the cleaner forgets is read for the listener. Its object may read the map as it is made. */
    @Test
    void aListenerGetsTheWholeValueOfAForgottenEntry() {
        Codec<Outer> values = Codec.records(Outer.class, MethodHandles.lookup());
        List<Object> told = new ArrayList<>();
        try (LarderMap<Long, Outer> map = LarderMap.open(directory, LONGS, values, TestMaps.options())) {
            map.set(2L, outer(2));
            map.set(1L, outer(1), Duration.ofMillis(1));
            for (int i = 0; i < 60_000; i++) { // into the next segment
                map.set(3L, outer(3));
            }
            Awaitility.await().until(() -> map.get(1L) == null);
            map.listener((key, value, cause) -> told.add(List.of(key, value, cause)));
            call = () -> map.get(2L);
            map.compact();
            assertThat(call)
                    .as("called by the object that was made for the listener")
                    .isNull();
        }
        assertThat(told).containsExactly(List.of(1L, outer(1), RemovalCause.EXPIRED));
    }

    /** Writes numbers, and calls back before it does. */
    private static final class CallingLongs implements ValueCodec<Long> {

        @Override
        public String name() {
            return LONGS.name();
        }

        @Override
        public int lengthBytes(Long value) {
            return Long.BYTES;
        }

        @Override
        public void write(Long value, MemorySegment segment, long offset, int length) {
            callOnce();
            LONGS.write(value, segment, offset, length);
        }

        @Override
        public Long read(MemorySegment segment, long offset, int length) {
            return LONGS.read(segment, offset, length);
        }
    }

    /** The inner entry was refused before, too; but the outer one was then linked by the inner one's key. */
    @Test
    void aValueThatUsesItsLoaderIsPutWithItsOwnKey() {
        List<Throwable> refused = new ArrayList<>();
        try (LarderMap<Long, Long> map = LarderMap.open(directory, LONGS, new CallingLongs(), TestMaps.options())) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                for (Runnable inner : List.<Runnable>of(() -> loader.put(100L, 100L), loader::flush, loader::close)) {
                    call = () -> refuse(inner, refused);
                    loader.put((long) refused.size(), 7L);
                }
            }
            assertThat(map)
                    .hasSize(3)
                    .containsEntry(0L, 7L)
                    .containsEntry(1L, 7L)
                    .containsEntry(2L, 7L);
        }
        assertThat(refused)
                .hasSize(3)
                .allSatisfy(e -> assertThat(e)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(directory.toString()));
    }

    private static void refuse(Runnable inner, List<Throwable> refused) {
        try {
            inner.run();
        } catch (IllegalStateException e) {
            refused.add(e);
        }
    }

    /** A put would change the staging area from which the loader links its entries. */
    @Test
    void aListenerCannotUseTheLoaderThatCallsIt() {
        List<Throwable> refused = new ArrayList<>();
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            for (long key = 0; key < 200; key++) {
                map.set(key, key);
            }
            try (MapLoader<Long, Long> loader = map.loader()) {
                map.listener((key, value, cause) -> refuse(() -> loader.put(1000 + key, 0L), refused));
                for (long key = 0; key < 200; key++) {
                    loader.put(key, key + 1);
                }
            }
            assertThat(map).hasSize(200);
            for (long key = 0; key < 200; key++) {
                assertThat(map.get(key)).isEqualTo(key + 1);
            }
        }
        assertThat(refused).hasSize(200);
    }
}
