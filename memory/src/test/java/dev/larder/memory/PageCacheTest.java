package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dropping the pages of a file from the page cache. */
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

    /** The file is small enough that every page is queried; on a machine with one node, all bytes lie there. */
    @Test
    void tellsOnWhichNodesItLies() throws IOException {
        Path file = directory.resolve("file");
        Files.write(file, new byte[BYTES + 1]);
        Optional<SortedMap<Integer, Long>> nodes = PageCache.residentBytesByNode(file);
        assumeTrue(
                nodes.isPresent() || !TestMachine.hasNativeCalls(),
                "the system does not tell (a sandbox may refuse it)");
        assertThat(nodes.isPresent()).isEqualTo(TestMachine.hasNativeCalls());
        nodes.ifPresent(bytes -> {
            assertThat(MemoryNodes.withMemory().stream().boxed().toList()).containsAll(bytes.keySet());
            assertThat(bytes.values().stream().mapToLong(Long::longValue).sum())
                    .isBetween(BYTES + 1L - bytes.size(), BYTES + 1L);
        });
        assertThat(PageCache.residentBytesByNode(directory.resolve("missing"))).isEmpty();
        if (TestMachine.hasNativeCalls()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            PageCache.drop(file);
            assertThat(PageCache.residentBytesByNode(file).orElseThrow()).isEmpty();
            assertThat(PageCache.residentBytesByNode(Files.createFile(directory.resolve("empty"))))
                    .contains(new TreeMap<>());
        }
    }

    @Test
    void saysWhyItDoesNothing() {
        assertThat(PageCache.drop(directory.resolve("missing"))).isPresent();
    }

    private static boolean isCached(Path file) {
        try (StorageFile opened = SystemStorage.system().open(file, false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            return SystemStorage.system().isResident(opened.map(0, BYTES, false, arena));
        }
    }
}
