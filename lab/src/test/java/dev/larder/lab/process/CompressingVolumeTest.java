package dev.larder.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system in a file: compressible data takes little room, and the volume leaves nothing behind. */
class CompressingVolumeTest {

    private static final int WRITTEN_BYTES = 16 << 20;

    @TempDir
    Path directory;

    /** Mounts a volume of a TiB; skips the test if the machine or the user cannot. */
    private CompressingVolume mounted() {
        try {
            return CompressingVolume.mount(directory, 1L << 40);
        } catch (LabException e) {
            String why = String.valueOf(e.getMessage());
            assumeFalse(why.contains("needs root") || why.contains("there is no") || why.contains("losetup"), why);
            throw e;
        }
    }

    @Test
    void hasRoomForMuchThatCompressesAndGoesWithoutATrace() throws IOException {
        try (CompressingVolume volume = mounted()) {
            long before = volume.usedBytes();
            Path file = volume.root().resolve("file");
            Files.write(file, new byte[WRITTEN_BYTES]);
            assertThat(Files.getFileStore(file).type()).isEqualTo("btrfs");
            assertThat(Files.getFileStore(file).getTotalSpace()).isEqualTo(1L << 40);
            assertThat(volume.usedBytes() - before).isBetween(1L, (long) WRITTEN_BYTES / 4);
            assertThat(volume.roomBytes()).isPositive();
            assertThat(volume.figures().text("mount_options")).contains("compress-force=zstd");
            assertThat(Files.readString(Path.of("/proc/mounts")))
                    .contains(volume.root().toString());
        }
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
        assertThat(directory).isEmptyDirectory();
    }
}
