package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.TruncatedException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An append whose sync fails has appended: each error says so, so that the caller does not append the record twice. */
final class UnsyncedRecordTest {

    @TempDir
    Path directory;

    private final AtomicReference<@Nullable LarderException> next = new AtomicReference<>();
    private final Failpoints failing = step -> {
        LarderException error = step.equals("sync.published") ? next.getAndSet(null) : null;
        if (error != null) {
            throw error;
        }
    };

    private Log open() {
        return Log.open(
                directory,
                HookedOptions.withFailpoints(TestLogs.options().withSync(SyncPolicy.everyAppend()), failing));
    }

    static Stream<LarderException> errors() {
        return Stream.of(
                new LarderException("met"),
                new LogBusyException("met"),
                new LogFailedException("met"),
                new InterruptedWaitException("met"),
                new ClosedException("met"),
                new SystemLimitException("met"),
                new DiskFullException("met"),
                new StorageException("met"),
                new CorruptException("met"),
                new TruncatedException("met"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void keepsTheClassOfTheErrorAndNamesTheRecord(LarderException met) {
        try (Log log = open();
                LogAppender appender = log.appender()) {
            long position = log.endPosition();
            next.set(met);
            LarderException error =
                    catchThrowableOfType(LarderException.class, () -> appender.append(TestLogs.bytes("one")));
            assertThat(error).isExactlyInstanceOf(met.getClass()).hasCause(met);
            assertThat(error)
                    .hasMessageStartingWith("met; the record at " + Position.toString(position) + " was appended")
                    .hasMessageContaining("do not append it again");
            assertThat(TestLogs.texts(log)).containsExactly("one");
        }
    }

    @Test
    void anErrorOfAnotherClassStaysAndHasTheTextBesideIt() {
        try (Log log = open();
                LogAppender appender = log.appender()) {
            LarderException met = new ReadOnlyException("met");
            next.set(met);
            LarderException error =
                    catchThrowableOfType(LarderException.class, () -> appender.append(TestLogs.bytes("one")));
            assertThat(error).isSameAs(met);
            assertThat(error.getSuppressed()[0]).hasMessageContaining("do not append it again");
        }
    }

    @Test
    void aBatchNamesItsLastRecord() {
        try (Log log = open();
                LogAppender appender = log.appender();
                RecordBatch batch = appender.batch()) {
            batch.add(TestLogs.bytes("one"));
            batch.add(TestLogs.bytes("two"));
            next.set(new LogBusyException("met"));
            LarderException error = catchThrowableOfType(LarderException.class, batch::flush);
            assertThat(error).hasMessageContaining("do not append it again");
            assertThat(error).hasMessageContaining(Position.toString(batch.flush()));
            assertThat(TestLogs.texts(log)).containsExactly("one", "two");
        }
    }
}
