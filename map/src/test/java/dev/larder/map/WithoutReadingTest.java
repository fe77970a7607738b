package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.NotInMemoryException;
import dev.larder.log.layer.HookedOptions;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls of threads that may not wait for the disk, on a storage that says of every page that it is not in memory. */
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

    private void assertNotInMemory(ThrowingCallable call) {
        long before = storage.broughtIn();
        assertThatThrownBy(call)
                .isInstanceOf(NotInMemoryException.class)
                .hasMessageContaining("are not in memory")
                .hasNoCause();
        assertThat(storage.broughtIn()).isEqualTo(before);
    }
}
