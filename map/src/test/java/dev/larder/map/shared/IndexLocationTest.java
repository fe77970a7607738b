package dev.larder.map.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.Sharing;
import dev.larder.map.TestMaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder that the indexes of many maps lie in. */
class IndexLocationTest {

    @TempDir
    Path directory;

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
        return LarderMap.open(
                directory.resolve(name),
                ValueCodec.longs(),
                ValueCodec.longs(),
                MapOptions.defaults()
                        .withLog(TestMaps.options())
                        .withSharing(Sharing.defaults().withFolder(memory)));
    }
}
