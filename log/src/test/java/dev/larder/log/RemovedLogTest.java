package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.doubles.DelegatingStorage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log whose files are removed while it is open, as by {@code rm -rf}: Windows does not allow it. */
@DisabledOnOs(OS.WINDOWS)
final class RemovedLogTest {

    @TempDir
    Path parent;

    private Path directory() {
        return parent.resolve("log");
    }

    private void remove() {
        try (Stream<Path> files = Files.list(directory())) {
            List<Path> all = files.toList();
            for (Path file : all) {
                Files.delete(file);
            }
            Files.delete(directory());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aNewOpeningGetsTheLogThatIsThereNow() {
        Log removed = TestLogs.open(directory());
        try (LogAppender appender = removed.appender()) {
            appender.append(TestLogs.bytes("old"));
            remove();
            try (Log log = TestLogs.open(directory());
                    LogAppender other = log.appender();
                    Log again = TestLogs.open(directory())) {
                other.append(TestLogs.bytes("new"));
                assertThat(TestLogs.texts(again)).containsExactly("new");
                assertThatThrownBy(removed::appender)
                        .isInstanceOf(LogFailedException.class)
                        .hasMessageContainingAll(directory().toString(), "removed or replaced while the log was open");
            }
        }
        assertThatThrownBy(removed::close).isInstanceOf(LogFailedException.class);
        try (Log log = TestLogs.open(directory())) {
            assertThat(TestLogs.texts(log)).containsExactly("new");
        }
    }

    @Test
    void aSyncTellsThatTheFilesAreGone() {
        Log removed = TestLogs.open(directory());
        try (LogAppender appender = removed.appender()) {
            appender.append(TestLogs.bytes("old"));
            remove();
            assertThatThrownBy(removed::sync)
                    .isInstanceOf(LogFailedException.class)
                    .hasMessage(directory().resolve(ControlLayout.FILE_NAME)
                            + ": the file was removed or replaced while the log was open; the log takes no more"
                            + " records, and its records are gone when the last process closes it");
            assertThatThrownBy(removed::appender).isInstanceOf(LogFailedException.class);
        }
        assertThatThrownBy(removed::close).isInstanceOf(LogFailedException.class);
    }

    /** The files that a directory has, and had, are all there again: no record was lost, and none was refused by a disk. */
    @Test
    void aDirectoryThatWasMovedForAMomentTakesRecordsFromTheNextOpeningOn() throws IOException {
        Path moved = parent.resolve("moved");
        Log log = TestLogs.open(directory());
        try (LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("before"));
            Files.move(directory(), moved);
            assertThatThrownBy(log::sync).isInstanceOf(LogFailedException.class);
            Files.move(moved, directory());
            assertThatThrownBy(() -> appender.append(TestLogs.bytes("refused"))).isInstanceOf(LogFailedException.class);
            try (Log beside = TestLogs.open(directory())) {
                assertThatThrownBy(beside::appender).hasMessageContaining("removed or replaced");
            }
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        for (int opening = 0; opening < 2; opening++) {
            try (Log again = TestLogs.open(directory());
                    LogAppender appender = again.appender()) {
                appender.append(TestLogs.bytes("after"));
                assertThat(again.sync()).isEqualTo(again.endPosition());
                assertThat(TestLogs.texts(again)).startsWith("before").hasSize(2 + opening);
            }
        }
    }

    /** A file system may be slow to answer, or refuse for a while. */
    @Test
    void anErrorOfTheCheckIsNoRemoval() {
        AtomicBoolean refuses = new AtomicBoolean();
        Storage storage = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public String fileIdentity(Path file) {
                // a name that the system refuses
                return super.fileIdentity(refuses.get() ? file.resolveSibling("x".repeat(300)) : file);
            }
        };
        try (Log log = Log.open(directory(), HookedOptions.withStorage(TestLogs.options(), storage));
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes("one"));
            refuses.set(true);
            assertThatThrownBy(log::sync)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("cannot tell whether the file is there");
            refuses.set(false);
            appender.append(TestLogs.bytes("two"));
            assertThat(log.sync()).isEqualTo(log.endPosition());
        }
    }

    /** No process reopens, syncs or closes the log: the sync at the policy's pace notices the removal. */
    @Test
    void aWriterThatOnlyAppendsLearnsIt() {
        LogOptions paced = TestLogs.options().withSync(SyncPolicy.every(Duration.ofMillis(1)));
        Log removed = Log.open(directory(), paced);
        try (LogAppender appender = removed.appender()) {
            appender.append(TestLogs.bytes("old"));
            remove();
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThatThrownBy(() -> appender.append(TestLogs.bytes("more")))
                            .isInstanceOf(LogFailedException.class)
                            .hasMessageContaining("removed or replaced while the log was open"));
        }
        assertThatThrownBy(removed::close).isInstanceOf(LogFailedException.class);
    }

    /** Its file may have been replaced too, as by a mirror that takes the stream anew: the reader would stay in the old one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReaderThatMayNotWriteLearnsIt(boolean replaced) throws InterruptedException {
        append("old");
        try (Log log = Log.open(directory(), TestLogs.options().withReadOnly(true));
                LogReader reader = log.reader();
                LogReader polling = log.reader()) {
            assertThat(reader.poll((segment, offset, length) -> {})).isTrue();
            assertThat(reader.poll((segment, offset, length) -> {}, Duration.ofMillis(2500)))
                    .as("the files are there")
                    .isFalse();
            remove();
            if (replaced) {
                append("new");
            }
            assertThat(polling.poll((segment, offset, length) -> {}))
                    .as("records that were there")
                    .isTrue();
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(() -> reader.poll((segment, offset, length) -> {}, Duration.ofSeconds(10)))
                        .isInstanceOf(LogFailedException.class)
                        .hasMessageContainingAll(
                                directory().toString(),
                                "removed or replaced while the log was open",
                                "Open the log again");
                assertThatThrownBy(() -> polling.drain((segment, offset, length) -> {}, 10))
                        .isInstanceOf(LogFailedException.class);
            }
        }
    }

    private void append(String text) {
        try (Log log = TestLogs.open(directory());
                LogAppender appender = log.appender()) {
            appender.append(TestLogs.bytes(text));
        }
    }

    @Test
    void closingTellsThatTheFilesAreGone() {
        Log removed = TestLogs.open(directory());
        remove();
        assertThatThrownBy(removed::close)
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining("removed or replaced while the log was open");
        try (Log log = TestLogs.open(directory())) {
            assertThat(TestLogs.texts(log)).isEmpty();
        }
    }

    /** These calls take every key and value for a string. */
    @Test
    void systemPropertiesCanBeListedWhileALogIsOpen() {
        try (Log log = TestLogs.open(directory());
                PrintStream out = new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            System.getProperties().list(out);
            assertThat(log.firstPosition()).isPositive();
            assertThat(System.getProperties().stringPropertyNames())
                    .hasSameSizeAs(System.getProperties().keySet());
        }
    }
}
