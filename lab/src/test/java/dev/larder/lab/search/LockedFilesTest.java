package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LockedFilesTest {

    private static final int KIB = 1 << 10;

    @TempDir
    Path directory;

    /** Returns the KiB that, according to the kernel, this process has locked. */
    private static long lockedKibibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmLck:"))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void filesAreLockedAsLongAsTheyAreNamed() throws IOException {
        Assumptions.assumeTrue(SystemStorage.system().isNative(), "pages are locked by native calls");
        Files.write(directory.resolve("first"), new byte[64 * KIB]);
        Files.write(directory.resolve("second"), new byte[128 * KIB]);
        Files.write(directory.resolve("empty"), new byte[0]);
        long before = lockedKibibytes();
        try (LockedFiles files = new LockedFiles(directory)) {
            String reason = files.lock(List.of("first", "second", "empty", "gone"));
            Assumptions.assumeTrue(reason == null, () -> "this process may lock nothing: " + reason);
            assertThat(lockedKibibytes() - before).isEqualTo(192);
            files.lock(List.of("second"));
            assertThat(lockedKibibytes() - before).isEqualTo(128);
            assertThat(files.lockedBytes()).isEqualTo(128 * KIB);
        }
        assertThat(lockedKibibytes()).isEqualTo(before);
    }

    @Test
    void whatCannotBeLockedIsToldWithTheSum() throws IOException {
        Assumptions.assumeFalse(SystemStorage.system().isNative(), "pages can be locked here");
        Files.write(directory.resolve("first"), new byte[64 * KIB]);
        try (LockedFiles files = new LockedFiles(directory)) {
            assertThat(files.lock(List.of("first")))
                    .startsWith("the index takes 64 KiB, of which 0 B could be locked: ");
        }
    }
}
