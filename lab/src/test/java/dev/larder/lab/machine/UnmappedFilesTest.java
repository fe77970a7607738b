package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class UnmappedFilesTest {

    @TempDir
    Path directory;

    @Test
    void countsWhatIsNotMapped() throws IOException {
        Path inner = Files.createDirectory(directory.resolve("inner"));
        Path mapped = Files.write(inner.resolve("mapped"), new byte[10_000]);
        Files.write(inner.resolve("mapped-not"), new byte[3_000]);
        Files.write(directory.resolve("other"), new byte[200]);
        assertThat(UnmappedFiles.bytes(directory)).isEqualTo(13_200);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(mapped)) {
            assertThat(channel.map(FileChannel.MapMode.READ_ONLY, 0, 10_000, arena)
                            .byteSize())
                    .isEqualTo(10_000);
            assertThat(UnmappedFiles.bytes(directory)).isEqualTo(3_200);
        }
        assertThat(UnmappedFiles.bytes(directory.resolve("none"))).isZero();
    }

    /** The system names a mapped file by its real path, in bytes. */
    @Test
    void knowsAMappedFileByALinkAndByAnyName() throws IOException {
        boolean isAscii = !System.getProperty("sun.jnu.encoding", "").equals("UTF-8");
        Path real = Files.createDirectory(directory.resolve(isAscii ? "real" : "B\u00fccher"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        Path mapped = Files.write(real.resolve("mapped"), new byte[10_000]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(mapped)) {
            assertThat(channel.map(FileChannel.MapMode.READ_ONLY, 0, 10_000, arena)
                            .byteSize())
                    .isEqualTo(10_000);
            assertThat(UnmappedFiles.bytes(real)).isZero();
            assertThat(UnmappedFiles.bytes(link)).isZero();
        }
    }
}
