package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.log.format.ControlLayout;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Another program cuts {@code log.ctl} while the log is open: each call names the file, and none shows an error of the JVM. */
@DisabledOnOs(OS.WINDOWS) // Windows keeps an open file
final class CutControlFileTest {

    /** Enough for the JVM to compile an append. Compiled code meets an error later than the access that caused it. */
    private static final int WARM_APPENDS = 30_000;

    @TempDir
    Path directory;

    private Log log;
    private LogAppender appender;
    private LogReader reader;
    private Bookmark bookmark;

    @BeforeEach
    void cut() throws IOException {
        log = TestLogs.open(directory);
        appender = log.appender();
        long position = appender.append(TestLogs.bytes("record"));
        for (int i = 0; i < WARM_APPENDS; i++) {
            appender.append(TestLogs.bytes("warm"));
        }
        reader = log.reader();
        bookmark = log.bookmark("one");
        bookmark.move(position);
        try (FileChannel file =
                FileChannel.open(directory.resolve(ControlLayout.FILE_NAME), StandardOpenOption.WRITE)) {
            file.truncate(0);
        }
    }

    @AfterEach
    void close() {
        Throwable met = catchThrowable(log::close);
        assertThat(met).isInstanceOf(LogFailedException.class);
    }

    private void tells(ThrowingCallable call) {
        assertThat(catchThrowable(call)).isInstanceOf(LarderException.class).hasMessageContaining(directory.toString());
    }

    private void names(ThrowingCallable call) {
        assertThat(catchThrowable(call))
                .isInstanceOf(LarderException.class)
                .hasMessageContainingAll(
                        directory.resolve(ControlLayout.FILE_NAME).toString(),
                        "the file was truncated, or its device failed");
    }

    @Test
    void aReaderTells() {
        names(reader::moveToFirst);
        names(() -> reader.moveTo(reader.position()));
        names(() -> reader.drain((segment, offset, length) -> {}, 1));
        names(() -> reader.moveToTime(Instant.EPOCH));
        names(() -> reader.drainBackward((segment, offset, length) -> {}, 1));
        names(log::reader);
    }

    @Test
    void whatIsAskedOfTheLogTells() {
        names(log::info);
        names(log::firstPosition);
        names(log::endPosition);
        names(log::durablePosition);
        names(log::verify);
        names(log::bookmarks);
        names(log::committedRecords);
    }

    @Test
    void aBookmarkTells() {
        names(() -> log.bookmark("two"));
        names(() -> log.dropBookmark("one"));
        assertThatCode(() -> bookmark.position()).doesNotThrowAnyException();
    }

    @Test
    void aWriterFailsTheLog() {
        tells(log::sync);
        tells(() -> appender.append(TestLogs.bytes("after")));
        tells(log::appender);
        tells(log::sync);
    }

    @Test
    void anAppendFailsTheLog() {
        tells(() -> appender.append(TestLogs.bytes("after")));
        tells(log::sync);
    }
}
