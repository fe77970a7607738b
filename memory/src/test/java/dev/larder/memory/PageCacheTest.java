package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Letting go of what the system has cached of a file. */
final class PageCacheTest {

    private static final int BYTES = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void letsGoOfCleanPages() throws IOException {
        Path file = directory.resolve("file");
        Files.write(file, new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        assertThat(isCached(file)).isTrue();
        assertThat(PageCache.drop(file).isEmpty()).isEqualTo(TestMachine.hasNativeCalls());
        assertThat(isCached(file)).isEqualTo(!TestMachine.hasNativeCalls());
    }

    @Test
    void countsWhatIsInMemory() throws IOException {
        Path file = directory.resolve("file");
        Files.write(file, new byte[BYTES + 1]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        OptionalLong all = TestMachine.hasNativeCalls() ? OptionalLong.of(BYTES + 1) : OptionalLong.empty();
        assertThat(PageCache.residentBytes(file)).isEqualTo(all);
        assertThat(PageCache.drop(file).isEmpty()).isEqualTo(TestMachine.hasNativeCalls());
        assertThat(PageCache.residentBytes(file).orElse(0)).isZero();
        assertThat(PageCache.residentBytes(directory.resolve("missing"))).isEmpty();
    }

    @Test
    void saysWhyItDoesNothing() {
        assertThat(PageCache.drop(directory.resolve("missing"))).isPresent();
    }

    private static boolean isCached(Path file) {
        try (StorageFile opened = Storage.system().open(file, false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            return Storage.system().isResident(opened.map(0, BYTES, false, arena));
        }
    }
}
