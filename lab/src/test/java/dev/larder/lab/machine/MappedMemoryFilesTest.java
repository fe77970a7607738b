package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.lab.result.Directories;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class MappedMemoryFilesTest {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int BYTES = 1 << 20;

    @TempDir
    Path onDisk;

    @Test
    void countsWhatIsMappedAndTouched() throws IOException {
        assumeTrue(Files.isWritable(MEMORY), "there is no " + MEMORY);
        Path directory = Files.createTempDirectory(MEMORY, "larder-lab-");
        try {
            Files.write(directory.resolve("mapped-not"), new byte[BYTES]);
            assertThat(touched(directory.resolve("mapped"), directory)).isEqualTo(BYTES);
            assertThat(MappedMemoryFiles.bytes(directory)).isZero();
        } finally {
            Directories.delete(directory);
        }
    }

    /** A page of a file on a disk does not count as shared memory. */
    @Test
    void countsNothingOnADisk() throws IOException {
        assumeTrue(!Files.getFileStore(onDisk).type().equals("tmpfs"), "temporary files are in memory");
        assertThat(touched(onDisk.resolve("mapped"), onDisk)).isZero();
        assertThat(MappedMemoryFiles.bytes(onDisk.resolve("none"))).isZero();
    }

    private static long touched(Path file, Path directory) throws IOException {
        Files.write(file, new byte[BYTES]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            mapped.fill((byte) 1);
            return MappedMemoryFiles.bytes(directory);
        }
    }

    /** The lines are read as bytes. */
    @Test
    void findsANameThatIsNotAscii() {
        assumeTrue(Charset.defaultCharset().name().equals(System.getProperty("sun.jnu.encoding")), "names are ASCII");
        byte[] mapping = "7f12c0000000-7f12c0200000 rw-s 00000000 00:1a 1043       /dev/shm/B\u00fccher/0.log"
                .getBytes(StandardCharsets.UTF_8);
        Stream<String> lines =
                Stream.of(new String(mapping, StandardCharsets.ISO_8859_1), "Pss:                1024 kB");
        assertThat(MappedMemoryFiles.bytes(lines, Path.of("/dev/shm/B\u00fccher")))
                .isEqualTo(1024 << 10);
    }

    @Test
    void takesMappingsBelowTheDirectoryAlone() {
        Stream<String> lines = Stream.of(
                "7f12c0000000-7f12c0200000 rw-s 00000000 00:1a 1043       /dev/shm/lab/map/0 log",
                "Size:               2048 kB",
                "Pss:                1024 kB",
                "Pss_Shmem:          1024 kB",
                "7f12c0200000-7f12c0400000 rw-s 00000000 00:1a 1044       /dev/shm/laboratory/0.log",
                "Pss:                 512 kB",
                "7f12c0400000-7f12c0600000 rw-p 00000000 00:00 0 ",
                "Pss:                 256 kB",
                "7f12c0600000-7f12c0800000 r--s 00200000 00:1a 1043       /dev/shm/lab/1.log (deleted)",
                "Pss:                   4 kB");
        assertThat(MappedMemoryFiles.bytes(lines, Path.of("/dev/shm/lab"))).isEqualTo(1024 << 10);
    }
}
