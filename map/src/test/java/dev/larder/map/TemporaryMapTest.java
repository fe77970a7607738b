package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.memory.ClosedException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class TemporaryMapTest {

    @TempDir
    Path folder;

    private LarderMap<Long, Long> open() {
        return LarderMap.temporary(
                folder,
                ValueCodec.longs(),
                ValueCodec.longs(),
                MapOptions.defaults().withLog(TestMaps.options()));
    }

    private List<Path> places() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void isGoneWhenItIsClosed() throws IOException {
        try (LarderMap<Long, Long> map = open()) {
            try (LarderMap<Long, Long> other = open()) {
                for (long key = 0; key < 300_000; key++) {
                    map.put(key, -key);
                }
                map.compact();
                assertThat(other).isEmpty();
                assertThat(places())
                        .hasSize(2)
                        .allSatisfy(place -> assertThat(place)
                                .isDirectoryContaining(file -> file.toString().endsWith(".index")));
            }
            assertThat(places()).hasSize(1);
            assertThat(map.get(299_999L)).isEqualTo(-299_999);
        }
        assertThat(places()).isEmpty();
    }

    @Test
    void isItsOwnersAlone() throws IOException {
        try (LarderMap<Long, Long> map = open()) {
            map.put(1L, 1L);
            Path place = places().getFirst();
            if (Files.getFileStore(place).supportsFileAttributeView("posix")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
                        .isEqualTo("rwx------");
            }
        }
    }

    @Test
    void removesWhatADeadProcessHasLeft() throws IOException {
        Path left = Files.createDirectory(folder.resolve("larder-temporary-1-2f"));
        Files.createFile(left.resolve("owner.lck"));
        Files.write(left.resolve("0000000000.seg"), new byte[100]);
        Path empty = Files.createDirectory(folder.resolve("larder-temporary-1-30"));
        Path others = Files.createDirectory(folder.resolve("others"));
        try (LarderMap<Long, Long> map = open()) {
            assertThat(map).isEmpty();
            assertThat(left).doesNotExist();
            assertThat(empty).doesNotExist();
            assertThat(others).exists();
            assertThat(places()).hasSize(2);
        }
    }

    /** In a container each process is the first one, so the files of its predecessor carry its own number. */
    @Test
    void removesWhatADeadProcessOfTheSameNumberHasLeft() throws IOException {
        long number = ProcessHandle.current().pid();
        Path left = Files.createDirectory(folder.resolve("larder-temporary-" + number + "-16f-2f"));
        Files.createFile(left.resolve("owner.lck"));
        try (LarderMap<Long, Long> map = open()) {
            assertThat(map).isEmpty();
            assertThat(places()).hasSize(1).doesNotContain(left);
        }
    }

    @Test
    void liesInMemoryUnlessToldOtherwise() throws IOException {
        LarderMap<String, String> map = LarderMap.temporary(ValueCodec.texts(), ValueCodec.texts());
        Path place = map.info().log().directory();
        try (map) {
            map.put("one", "1");
            assertThat(map).containsOnly(java.util.Map.entry("one", "1"));
            assertThat(place.getParent()).isEqualTo(folderOfThisMachine());
            assertThat(place).exists();
        }
        assertThat(place).doesNotExist();
        assertThatThrownBy(() -> map.get("one")).isInstanceOf(ClosedException.class);
    }

    private static Path folderOfThisMachine() throws IOException {
        Path memory = Path.of("/dev/shm");
        boolean large = Files.isWritable(memory) && Files.getFileStore(memory).getTotalSpace() >= 1L << 30;
        return large ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    @Test
    void leavesNothingWhereItCannotBeOpened() throws IOException {
        MapOptions refused = MapOptions.defaults().withLog(TestMaps.options().withReadOnly(true));
        assertThatThrownBy(() -> LarderMap.temporary(folder, ValueCodec.longs(), ValueCodec.longs(), refused))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(places()).isEmpty();
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(
                        () -> LarderMap.temporary(file, ValueCodec.longs(), ValueCodec.longs(), MapOptions.defaults()))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(file.toString());
    }
}
