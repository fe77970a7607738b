package dev.larder.map.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.Sharing;
import dev.larder.map.TestMaps;
import dev.larder.map.format.IndexPointer;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder that holds the indexes of many maps. */
class IndexLocationTest {

    @TempDir
    Path directory;

    /** Its path is stored for other processes, which may have other working directories. */
    @Test
    void aRelativeFolderIsMadeAbsolute() {
        Path relative = Path.of("some", "..", "folder");
        Path absolute = Path.of("folder").toAbsolutePath();
        assertThat(new Sharing(Optional.of(relative)).folder()).hasValue(absolute);
        assertThat(Sharing.defaults().withFolder(relative)).isEqualTo(new Sharing(Optional.of(absolute)));
    }

    @Test
    void removesIndexesThatWereAbandoned() throws IOException {
        assumeTrue(TestMaps.storage().isNative(), "without native calls a file cannot be asked whether it is locked");
        Path memory = Files.createDirectory(directory.resolve("memory"));
        Path abandoned = Files.write(memory.resolve("larder-map-1"), new byte[4096]);
        Path young = Files.write(memory.resolve("larder-map-2"), new byte[4096]);
        Path another = Files.write(memory.resolve("larder"), new byte[4096]);
        try (LarderMap<Long, Long> first = open("first", memory)) {
            first.put(1L, 2L);
            makeOld(memory, young);
            try (LarderMap<Long, Long> second = open("second", memory)) {
                assertThat(abandoned).doesNotExist();
                assertThat(young).exists();
                assertThat(another).exists();
                assertThat(first.get(1L)).isEqualTo(2L);
                try (LarderMap<Long, Long> third = open("third", memory)) {
                    assertThat(third.get(1L)).isNull();
                    assertThat(second.get(1L)).isNull();
                    assertThat(files(memory)).isEqualTo(2 + 3);
                }
            }
        }
        assertThat(files(memory)).isEqualTo(2);
    }

    /** Without native calls a lock belongs to the process, which loses it when it closes any file object of the file. */
    @Test
    void keepsTheLockOfAnIndexWhoseMapWasCopied() throws IOException {
        assumeTrue(
                SystemStorage.system().isNative(), "without native calls a file cannot be asked whether it is locked");
        Path memory = Files.createDirectory(directory.resolve("memory"));
        LogOptions portable = HookedOptions.withStorage(TestMaps.options(), SystemStorage.portable());
        try (LarderMap<Long, Long> original = open("original", memory, portable)) {
            original.put(1L, 2L);
            Path index = IndexPointer.read(directory.resolve("original"), SystemStorage.portable())
                    .orElseThrow()
                    .path();
            TestMaps.copy(directory.resolve("original"), directory.resolve("copy"));
            try (LarderMap<Long, Long> copy = open("copy", memory, portable)) {
                assertThat(copy.get(1L)).isEqualTo(2L);
            }
            assertThat(IndexFile.isOpen(index, SystemStorage.system())).isTrue();
            assertThat(original.get(1L)).isEqualTo(2L);
        }
        assertThat(files(memory)).isZero();
    }

    @Test
    void choosesTheFolderForTemporaryFilesWhereMemoryIsMissingOrSmall() throws IOException {
        Path memory = Files.createDirectory(directory.resolve("memory"));
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        long bytes = Files.getFileStore(memory).getTotalSpace();
        assertThat(IndexLocation.memoryFolder(memory, bytes)).isEqualTo(memory);
        assertThat(IndexLocation.memoryFolder(memory, bytes + 1)).isEqualTo(temporary);
        assertThat(IndexLocation.memoryFolder(directory.resolve("missing"), 0)).isEqualTo(temporary);
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(IndexLocation.memoryFolder(file, 0)).isEqualTo(temporary);
    }

    private static void makeOld(Path folder, Path except) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> !file.equals(except)).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
            }
        }
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private LarderMap<Long, Long> open(String name, Path memory) {
        return open(name, memory, TestMaps.options());
    }

    private LarderMap<Long, Long> open(String name, Path memory, LogOptions log) {
        return LarderMap.open(
                directory.resolve(name),
                ValueCodec.longs(),
                ValueCodec.longs(),
                MapOptions.defaults()
                        .withLog(log)
                        .withSharing(Sharing.defaults().withFolder(memory)));
    }
}
