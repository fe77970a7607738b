package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.context.LogSession;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.random.OpenSession;
import dev.larder.log.segment.Segment;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A memory error of the caller, or of the caller's code, is the caller's alone: the log continues, for every user. */
final class InternalErrorTest {

    private static final int BYTES = 4096;

    @TempDir
    Path directory;

    private Log log;
    private LogAppender appender;

    @BeforeEach
    void open() {
        log = TestLogs.open(directory.resolve("log"));
        appender = log.appender();
        appender.append(TestLogs.bytes("before"));
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void assertGoesOn() {
        appender.append(TestLogs.bytes("after"));
        assertThat(TestLogs.texts(log)).startsWith("before").endsWith("after");
        assertThat(log.sync()).isEqualTo(log.endPosition());
        log.appender().append(TestLogs.bytes("of another appender"));
    }

    /** Returns memory of a file that was cut: each access fails. */
    private MemorySegment cut(Arena arena) throws IOException {
        MemorySegment mapped = mapped("cut", arena);
        try (FileChannel channel = FileChannel.open(directory.resolve("cut"), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        return mapped;
    }

    private MemorySegment mapped(String name, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.allocate(BYTES));
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        }
    }

    @Test
    void appendingFromMemoryThatIsGoneFailsThatAppendAlone() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment gone = cut(arena);
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> appender.append(gone, 0, BYTES)).isInstanceOf(InternalError.class);
            }
        }
        assertGoesOn();
    }

    @Test
    void aWriterThatTouchesMemoryThatIsGoneFailsThatAppendAlone() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment gone = cut(arena);
            assertThatThrownBy(() -> appender.append(
                            8,
                            (segment, offset, length) ->
                                    segment.set(ValueLayout.JAVA_BYTE, offset, gone.get(ValueLayout.JAVA_BYTE, 0))))
                    .isInstanceOf(InternalError.class);
        }
        assertGoesOn();
    }

    @Test
    void aWriterThatThrowsOneFailsThatAppendAlone() {
        InternalError theirs = new InternalError("theirs");
        assertThatThrownBy(() -> appender.append(8, (segment, offset, length) -> {
                    throw theirs;
                }))
                .isSameAs(theirs);
        assertGoesOn();
    }

    @Test
    void aHandlerThatThrowsOneFailsThatReadAlone() {
        InternalError theirs = new InternalError("theirs");
        try (LogReader reader = log.reader()) {
            RecordHandler handler = (segment, offset, length) -> {
                throw theirs;
            };
            assertThatThrownBy(() -> reader.poll(handler)).isSameAs(theirs);
            assertThat(TestLogs.texts(reader)).containsExactly("before");
            assertThatThrownBy(() -> reader.pollBackward(handler)).isSameAs(theirs);
        }
        assertGoesOn();
    }

    @Test
    void aHandlerThatTouchesMemoryThatIsGoneFailsThatReadAlone() throws IOException {
        try (Arena arena = Arena.ofShared();
                LogReader reader = log.reader()) {
            MemorySegment gone = cut(arena);
            assertThatThrownBy(() -> reader.poll((segment, offset, length) -> {
                        byte touched = gone.get(ValueLayout.JAVA_BYTE, 0);
                        AccessErrors.deliver();
                        assertThat(touched).isZero();
                    }))
                    .isInstanceOf(InternalError.class);
        }
        assertGoesOn();
    }

    /** The reader gets its error; a writer gets its own only when it comes to the damage. */
    @Test
    void aReaderFailsTheLogForNobody() throws IOException {
        TestLogs.fillUpTo(appender, 1, 10_000);
        log.sync(); // so that the background has nothing to do there
        Path first = log.directory().resolve(SegmentLayout.fileName(0));
        try (LogReader reader = log.reader()) {
            reader.poll((segment, offset, length) -> {});
            try (FileChannel channel = FileChannel.open(first, StandardOpenOption.WRITE)) {
                channel.truncate(1 << 20);
            }
            assertThatThrownBy(() -> reader.drain((segment, offset, length) -> {}, Integer.MAX_VALUE))
                    .isInstanceOf(StorageException.class);
        }
        appender.append(TestLogs.bytes("after"));
    }

    /** A walk that cannot store into the segment that it has just entered leaves that one, and not the one before it twice. */
    @Test
    void aWalkLeavesTheSegmentThatItIsIn() throws IOException {
        Log other = TestLogs.open(directory.resolve("other"));
        LogSession session = OpenSession.of(other);
        try (LogAppender writer = other.appender()) {
            session.maintenance().stop();
            TestLogs.fillUpTo(writer, 1, 100_000);
            try (LogReader reader = other.reader()) {
                assertThat(reader.position()).isLessThan(Position.of(1, 0));
                assertThat(uses(session, 0)).isEqualTo(1);
                assertThat(uses(session, 1)).isEqualTo(1);
                try (FileChannel channel = FileChannel.open(
                        other.directory().resolve(SegmentLayout.fileName(1)), StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
                assertThatThrownBy(() -> session.writing().syncer().syncSettled())
                        .isInstanceOf(InternalError.class);
                assertThat(uses(session, 0)).isEqualTo(1);
                assertThat(uses(session, 1)).isEqualTo(1);
            }
        }
        assertThatThrownBy(other::close).isInstanceOf(LarderException.class);
    }

    /** Returns how many lanes are in a segment. */
    private static int uses(LogSession session, int number) {
        Segment segment = session.segments.acquire(number).orElseThrow();
        session.segments.release(segment);
        return segment.uses;
    }

    /** The reader stands in another segment, whose file is whole. */
    @Test
    void aReaderNamesTheFileThatCannotBeRead() throws IOException {
        List<Long> positions = new ArrayList<>();
        do {
            positions.add(appender.append(TestLogs.bytes(10_000, 1)));
        } while (Position.segment(positions.getLast()) == 0);
        log.sync(); // so that the background has nothing to do there
        Path first = log.directory().resolve(SegmentLayout.fileName(0));
        RecordHandler none = (segment, offset, length) -> {};
        long late = positions.get(positions.size() - 2);
        try (LogReader reader = log.reader();
                LogReader other = log.reader(late)) {
            other.poll(none); // keeps the segment mapped
            reader.moveTo(positions.getLast());
            try (FileChannel channel = FileChannel.open(first, StandardOpenOption.WRITE)) {
                channel.truncate(1 << 20);
            }
            assertThatThrownBy(() -> reader.moveTo(late))
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith(first + ": ");
            assertThatThrownBy(() -> reader.moveToSequence(positions.size() - 2))
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith(first + ": ");
            assertThat(reader.position()).isEqualTo(positions.getLast());
            assertThatThrownBy(() -> reader.drainBackward(none, 1))
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith(first + ": ");
            assertThat(reader.position()).isEqualTo(positions.getLast());
        }
    }

    /** Compiled code meets the error behind the copy: a batch staged and published bytes that were never stored. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void addingToABatchFromMemoryThatIsGoneFailsThatRecordAlone(boolean byWriter) throws IOException {
        try (Arena arena = Arena.ofShared();
                RecordBatch batch = appender.batch()) {
            MemorySegment gone = cut(arena);
            MemorySegment sound = mapped("sound", arena);
            for (int i = 0; i < 300_000; i++) { // until it is compiled, for memory of this kind
                add(batch, sound, byWriter);
                batch.clear();
            }
            assertThatThrownBy(() -> add(batch, gone, byWriter)).isInstanceOf(InternalError.class);
            batch.add(TestLogs.bytes("sound"));
            batch.flush();
            assertThat(TestLogs.texts(log)).containsExactly("before", "sound");
        }
        assertGoesOn();
    }

    private static void add(RecordBatch batch, MemorySegment source, boolean byWriter) {
        if (byWriter) {
            batch.add(64, (segment, offset, length) -> MemorySegment.copy(source, 0, segment, offset, length));
        } else {
            batch.add(source, 0, 64);
        }
    }
}
