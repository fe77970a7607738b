package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.NotInMemoryException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.pending.PendingValues;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of threads that may not wait for the disk, on a storage that reports every page as not in memory. */
@Timeout(120)
final class WithoutReadingTest {

    private final AbsentStorage storage = new AbsentStorage();

    @TempDir
    Path directory;

    private LarderMap<Long, Long> open() {
        MapOptions options = MapOptions.defaults().withLog(HookedOptions.withStorage(TestMaps.options(), storage));
        return TestMaps.longs(directory, options);
    }

    @Test
    void aCallThatWouldReadFromTheDiskIsAnErrorAndChangesNothing() {
        try (LarderMap<Long, Long> map = open()) {
            map.set(1L, 10L);
        }
        try (LarderMap<Long, Long> map = open()) {
            assertThat(map.arePagesMissing()).isFalse();
            assertNotInMemory(() -> map.withoutReading(() -> map.get(1L)));
            assertThat(map.arePagesMissing()).isTrue();
            assertNotInMemory(() -> map.withoutReading(() -> map.put(1L, 11L)));
            assertNotInMemory(() -> map.withoutReading(() -> {
                map.set(1L, 12L);
                return null;
            }));
            assertNotInMemory(() -> map.withoutReading(() -> map.delete(1L)));
            long before = storage.broughtIn();
            assertThat(map.get(1L)).isEqualTo(10L);
            assertThat(storage.broughtIn()).isGreaterThan(before);
            assertThat(map.<Boolean>withoutReading(() -> map.containsKey(2L))).isFalse();
        }
        try (LarderMap<Long, Long> map = open()) {
            assertThat(map.get(1L)).isEqualTo(10L);
            assertThat(map.longSize()).isOne();
        }
    }

    /** A put or a removal looks at the value that it returns before it makes the change, also if a reference leads there. */
    @Test
    void aValueThatIsNotInMemoryIsMissedBeforeItsReferenceIsReplaced() {
        AtomicBoolean absent = new AtomicBoolean();
        MapOptions options = PendingValues.in(MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), new Marked(absent)))
                .withCleaning(Cleaning.defaults().withBackground(false)));
        String value = "Z".repeat(100_000);
        try (LarderMap<String, String> map = openTexts(options)) {
            PendingValues pending = PendingValues.of(map);
            PendingValues.Part part = new PendingValues.Part(memory("a"), memory(value));
            long position = pending.append(1, 1, List.of(part));
            map.set("between", "y".repeat(100_000));
            pending.put(position, 0, Optional.empty());
        }
        absent.set(true);
        try (LarderMap<String, String> map = openTexts(options)) {
            assertNotInMemory(() -> map.withoutReading(() -> map.put("a", "another")));
            assertNotInMemory(() -> map.withoutReading(() -> map.remove("a")));
            assertNotInMemory(() -> map.withoutReading(() -> map.putIfAbsent("a", "another")));
            absent.set(false);
            assertThat(map.get("a")).isEqualTo(value);
            assertThat(map.put("a", "another")).isEqualTo(value);
        }
    }

    private LarderMap<String, String> openTexts(MapOptions options) {
        return LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), options);
    }

    private static MemorySegment memory(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reports pages that contain a Z as not in memory, while the test demands it. */
    private static final class Marked extends DelegatingStorage {
        private final AtomicBoolean absent;

        Marked(AtomicBoolean absent) {
            super(TestMaps.storage());
            this.absent = absent;
        }

        @Override
        public boolean tellsResidence() {
            return true;
        }

        @Override
        public boolean isResident(MemorySegment mapped) {
            return isResident(mapped, 0, mapped.byteSize());
        }

        @Override
        public boolean isResident(MemorySegment mapping, long offset, long bytes) {
            boolean marked = false;
            for (long at = offset; at < offset + bytes && absent.get(); at++) {
                marked |= mapping.get(ValueLayout.JAVA_BYTE, at) == 'Z';
            }
            return !marked;
        }
    }

    private void assertNotInMemory(ThrowingCallable call) {
        long before = storage.broughtIn();
        assertThatThrownBy(call)
                .isInstanceOf(NotInMemoryException.class)
                .hasMessageContaining("are not in memory")
                .hasNoCause();
        assertThat(storage.broughtIn()).isEqualTo(before);
    }
}
