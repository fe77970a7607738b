package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The advice of an input to the system about its reads, and its questions about pages. */
class ReadAdviceTest {

    private static final int LENGTH = 8 << 20;
    private static final int HALF = LENGTH / 2;
    private static final IOContext SEQUENTIAL = IOContext.DEFAULT.withHints(DataAccessHint.SEQUENTIAL);
    private static final IOContext RANDOM = IOContext.DEFAULT.withHints(DataAccessHint.RANDOM);

    @TempDir
    Path folder;

    /** Returns a directory that reads its only file from the disk. */
    private LarderDirectory onDisk() throws IOException {
        try (LarderDirectory directory = LarderDirectory.open(folder)) {
            Contents.write(directory, "file", 1, LENGTH);
            directory.sync(List.of("file"));
        }
        PageCache.drop(folder.resolve("file"));
        return LarderDirectory.open(folder, DirectoryOptions.defaults().withLoading(Loading.NEVER));
    }

    @Test
    void shouldBringInWhatIsReadSoon() throws IOException {
        try (LarderDirectory directory = onDisk();
                IndexInput input = directory.openInput("file", RANDOM)) {
            IndexInput part = input.slice("part", HALF, HALF);
            assumeTrue(part.isLoaded().equals(Optional.of(false)), "pages cannot be dropped here, or not be looked at");
            assumeTrue(TestMachine.hasNativeCalls(), "a page is announced by a native call");
            part.prefetch(0, HALF);
            await().atMost(Duration.ofMinutes(1)).until(() -> part.isLoaded().equals(Optional.of(true)));
            Contents.check(input, 1, LENGTH);
        }
    }

    @Test
    void shouldSayHowAPartIsRead() throws IOException {
        assumeTrue(TestMachine.hasNativeCalls(), "the order is announced by a native call");
        try (LarderDirectory directory = onDisk();
                IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
            assertThat(flags()).noneMatch(flags -> flags.contains(" sr") || flags.contains(" rr"));
            IndexInput part = input.slice("part", HALF, HALF, SEQUENTIAL);
            assertThat(flags()).hasSize(2).anyMatch(flags -> flags.contains(" sr"));
            assertThat(part.isEfficientFor(RANDOM)).isFalse();
            assertThat(part.isEfficientFor(SEQUENTIAL)).isTrue();
            assertThat(input.isEfficientFor(RANDOM)).isTrue();
            part.updateIOContext(RANDOM);
            assertThat(flags()).anyMatch(flags -> flags.contains(" rr"));
            part.updateIOContext(IOContext.DEFAULT);
            assertThat(flags()).noneMatch(flags -> flags.contains(" sr") || flags.contains(" rr"));
            Contents.check(input, 1, LENGTH);
        }
    }

    /** Returns the kernel's flags of each mapping of the file. */
    private List<String> flags() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        String file = folder.resolve("file").toRealPath().toString();
        List<String> found = new ArrayList<>();
        boolean isInside = false;
        for (String line : lines) {
            if (!line.startsWith(" ") && line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                isInside = line.endsWith(file);
            } else if (isInside && line.startsWith("VmFlags:")) {
                found.add(line + " ");
            }
        }
        return found;
    }

    @Test
    void shouldHaveEverythingLoadedThatIsInMemory() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory()) {
            Contents.write(directory, "file", 1, LENGTH);
            IndexInput input = directory.openInput("file", SEQUENTIAL);
            assertThat(input.isLoaded()).contains(true);
            assertThat(input.isEfficientFor(RANDOM)).isTrue();
            input.prefetch(HALF, LENGTH); // as far as there is something
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> input.prefetch(LENGTH + 1L, 1))
                    .withMessageContaining("8388609");
            Contents.check(input.slice("part", 0, LENGTH, RANDOM), 1, LENGTH);
            input.close();
            assertThatThrownBy(() -> input.prefetch(0, 1)).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(input::isLoaded).isInstanceOf(AlreadyClosedException.class);
            assertThatThrownBy(() -> input.updateIOContext(RANDOM)).isInstanceOf(AlreadyClosedException.class);
        }
    }
}
