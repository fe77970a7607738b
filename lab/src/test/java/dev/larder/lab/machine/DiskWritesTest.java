package dev.larder.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiskWritesTest {

    @Test
    void readsTheSectorsWritten() {
        assertThat(DiskWrites.writtenBytes(
                        " 1507483    75357 40800274  4006549  9586554  1938370 3162547416 14127821 1\n"))
                .isEqualTo(3162547416.0 * 512);
    }

    @Test
    void knowsNothingOfAFolderThatIsNotThere() {
        assertThat(DiskWrites.bytes(Path.of("there", "is", "none"))).isNaN();
    }
}
