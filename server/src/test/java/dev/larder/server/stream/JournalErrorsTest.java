package dev.larder.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Log;
import dev.larder.log.LogAppender;
import dev.larder.log.LogOptions;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.memory.Access;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.NewerFormatException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.resp.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors around the journal: each harms only what it concerns. */
@Timeout(300)
@Tag("in-memory")
final class JournalErrorsTest {

    private static final Path STREAMS = Path.of("/", "streams");
    private static final Path JOURNAL = STREAMS.resolve(StreamJournal.NAME);
    private static final int SEGMENT_BYTES = 2 << 20;
    private static final int LONG_VALUE_BYTES = 60 << 10;
    private static final int LAST_STEPS = 24;

    private static LogOptions options(Storage storage) {
        return HookedOptions.withStorage(LogOptions.defaults(), storage).withPrepareBytes(0);
    }

    private static StreamFolder open(Storage storage) {
        return open(options(storage));
    }

    private static StreamFolder open(LogOptions options) {
        LarderMap<byte[], byte[]> records = LarderMap.open(
                STREAMS.resolve("records"),
                ValueCodec.bytes(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options.withLargestSegmentBytes(SEGMENT_BYTES)));
        return new StreamFolder(STREAMS, records, options, SEGMENT_BYTES, OptionalLong.empty());
    }

    private static List<Long> create(StreamFolder folder, int count) {
        folder.load(Set.of());
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(folder.create());
        }
        folder.setJournals(true);
        folder.sync();
        return numbers;
    }

    private static Fields fields(int valueBytes) {
        return Fields.of(Request.of(List.of("field".getBytes(StandardCharsets.UTF_8), new byte[valueBytes])), 0);
    }

    private static void add(StreamFolder folder, long number, int valueBytes) {
        try (Stream stream = Objects.requireNonNull(folder.use(number))) {
            stream.add(new StreamId(stream.last().millis() + 1, 0), fields(valueBytes));
        }
    }

    private static void add(StreamFolder folder, long number) {
        add(folder, number, 1);
    }

    private static long end(StreamFolder folder, long number) {
        try (Stream stream = Objects.requireNonNull(folder.use(number))) {
            return stream.end();
        }
    }

    private static boolean isBehind(StreamFolder folder, long number) {
        try (Stream stream = Objects.requireNonNull(folder.use(number))) {
            return stream.isBehind();
        }
    }

    /** A stream is removed while its queue is flushed, and the flush fails. Other streams continue with the journal. */
    @Test
    void aRemovedStreamWhoseSyncFailsEndsNoJournal() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power)) {
            List<Long> numbers = create(folder, 2);
            List<Runnable> deletions = new ArrayList<>();
            folder.background(deletions::add, Runnable::run);
            long removed = numbers.getFirst();
            add(folder, removed);
            folder.sync();
            assertThat(isBehind(folder, removed)).isTrue();
            Thread caller = Thread.currentThread();
            AtomicBoolean failed = new AtomicBoolean();
            power.beforeEachStep(() -> {
                if (Thread.currentThread().equals(caller) && failed.compareAndSet(false, true)) {
                    folder.remove(removed);
                    throw new StorageException("cannot flush: Input/output error");
                }
            });
            assertThatCode(() -> folder.commits().apply()).doesNotThrowAnyException();
            assertThat(failed).isTrue();
            deletions.forEach(Runnable::run);
            long other = numbers.getLast();
            add(folder, other);
            assertThat(isBehind(folder, other)).as("the journal has its entry").isTrue();
            folder.sync();
            folder.commits().apply();
        }
    }

    /** Failed queues report that when they are closed. All others are closed nevertheless, and no thread works on them. */
    @Test
    void aQueueThatFailsToCloseKeepsNoOtherOpen() {
        int before = BackgroundTask.started();
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            StreamFolder folder = open(power);
            List<Long> numbers = create(folder, 3);
            folder.setJournals(false);
            for (long number : numbers.subList(0, 2)) {
                add(folder, number);
                power.failForce(1);
                assertThatThrownBy(folder::sync).isInstanceOf(LarderException.class);
                assertThatThrownBy(folder::sync).isInstanceOf(LarderException.class);
            }
            add(folder, numbers.getLast());
            assertThatThrownBy(folder::close)
                    .isInstanceOf(LarderException.class)
                    .satisfies(error -> assertThat(error.getSuppressed()).isNotEmpty());
            assertThat(BackgroundTask.started()).as("tasks of open logs").isEqualTo(before);
        }
    }

    /** The same where the JVM has no stack, or no memory, for a close. */
    @Test
    void anErrorOfTheJvmAtACloseKeepsNoOtherQueueOpen() {
        int before = BackgroundTask.started();
        AtomicInteger closed = new AtomicInteger();
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            LogOptions options = HookedOptions.withFailpoints(options(power), step -> {
                if (step.equals("close.locks") && closed.getAndIncrement() == 0) {
                    throw new StackOverflowError("at the first close");
                }
            });
            StreamFolder folder = open(options);
            List<Long> numbers = create(folder, 3);
            folder.setJournals(false);
            numbers.forEach(number -> add(folder, number));
            closed.set(0);
            assertThatThrownBy(folder::close).isInstanceOf(StackOverflowError.class);
            assertThat(closed.get()).as("logs of the queues and of the records").isGreaterThanOrEqualTo(3 + 1);
            assertThat(BackgroundTask.started()).as("tasks of open logs").isEqualTo(before);
        }
    }

    /** The entries of a second sync may be under way in a first one. The second sync ends after the first. */
    @Test
    void aSyncWaitsForOneThatIsUnderWay() throws Exception {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power)) {
            long number = create(folder, 1).getFirst();
            add(folder, number);
            Thread caller = Thread.currentThread();
            FutureTask<Void> sync = new FutureTask<>(() -> folder.commits().sync(), null);
            Thread second = new Thread(sync);
            AtomicBoolean early = new AtomicBoolean();
            power.beforeEachStep(() -> {
                if (Thread.currentThread().equals(caller) && second.getState() == Thread.State.NEW) {
                    second.start();
                    await().until(() -> sync.isDone() || second.getState() == Thread.State.WAITING);
                    early.set(sync.isDone());
                }
            });
            folder.commits().sync();
            assertThat(second.getState())
                    .as("no step of the first on this thread")
                    .isNotEqualTo(Thread.State.NEW);
            sync.get();
            assertThat(early).as("the second ended before the first").isFalse();
        }
    }

    /** The thread that syncs the queues cannot be started. The sync succeeds, and the next one tries that again. */
    @Test
    void aThreadThatCannotBeStartedFailsNoSync() {
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger run = new AtomicInteger();
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamCommits commits = new StreamCommits(
                        STREAMS,
                        options(power),
                        task -> {
                            if (refused.getAndIncrement() == 0) {
                                throw new OutOfMemoryError("unable to create native thread");
                            }
                            task.run();
                            run.incrementAndGet();
                        },
                        0)) {
            commits.setJournals(true);
            for (int i = 0; i < 2; i++) {
                assertThat(commits.journal(1, new UUID(1, 1), i, new StreamId(i + 1, 0), fields(1)))
                        .isTrue();
                assertThatCode(commits::sync).doesNotThrowAnyException();
            }
            assertThat(run).hasValue(1);
        }
    }

    /** A start cannot start a thread, so it does all work itself. */
    @Test
    void aStartThatFindsNoThreadsGoesOnAlone() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power)) {
            List<Long> numbers = create(folder, 3);
            numbers.forEach(number -> add(folder, number));
            folder.sync();
            try (PowerLossStorage image = power.image(new SplittableRandom(1));
                    StreamJournal journal = StreamJournal.open(STREAMS, options(image))) {
                JournalReplay replay = new JournalReplay(
                        journal,
                        number -> StreamQueue.open(STREAMS.resolve(Long.toString(number)), options(image)),
                        Integer.MAX_VALUE,
                        _ -> {
                            throw new OutOfMemoryError("unable to create native thread");
                        });
                assertThatCode(() -> assertThat(replay.run(Set.copyOf(numbers))).isEmpty())
                        .doesNotThrowAnyException();
                assertThat(journal.pendingBytes()).isZero();
            }
        }
    }

    /**
     * The folder of a queue was replaced, or its number came again. The entries that are left out are reported, with counts and
     * places.
     */
    @Test
    void entriesOfAnotherQueueAreToldOf() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamJournal journal = StreamJournal.open(STREAMS, options(power));
                StreamQueue queue = StreamQueue.open(STREAMS.resolve("17"), options(power));
                LogReader reader = journal.reader()) {
            UUID another = new UUID(7, 9);
            List<Long> positions = new ArrayList<>();
            for (int sequence = 3; sequence < 6; sequence++) {
                journal.add(17, another, sequence, new StreamId(sequence, 0), fields(1));
            }
            journal.add(17, queue.identity(), 0, new StreamId(1, 0), fields(1));
            journal.add(17, queue.identity(), 2, new StreamId(3, 0), fields(1));
            StreamJournal.Handler noting = (_, _, _, _, _, _) -> positions.add(reader.position());
            while (journal.read(reader, noting)) {
                assertThat(positions).hasSizeLessThanOrEqualTo(5);
            }
            QueueReplay replay = new QueueReplay(17, queue, journal);
            positions.forEach(position -> replay.bringIn(reader, position));
            replay.end();
            assertThat(queue.toEnd()).isOne();
            assertThat(replay.warnings()).hasSize(2);
            assertThat(replay.warnings().getFirst())
                    .contains("stream 17")
                    .contains("3 messages, from 3 at " + Position.toString(positions.getFirst()) + " to 5 at "
                            + Position.toString(positions.get(2)))
                    .contains(another.toString(), queue.identity().toString());
            assertThat(replay.warnings().getLast())
                    .contains("stream 17")
                    .contains("1 message, 2 at " + Position.toString(positions.getLast()))
                    .contains("ends before message 1");
        }
    }

    private static void writeFormat(PowerLossStorage power, int version) {
        Path path = JOURNAL.resolve(JournalFormat.NAME);
        try (StorageFile file = power.open(path, true).orElseThrow();
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes = arena.allocate(FileHeader.COMMON_BYTES, Long.BYTES);
            FileHeader.write(bytes, JournalFormat.FORMAT, version, FileHeader.COMMON_BYTES, Features.NONE);
            file.write(bytes, 0);
            file.forceAll();
        }
    }

    /** A newer release wrote the journal: nothing in it is read, and nothing is changed. */
    @Test
    void aNewerJournalIsRefused() {
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            StreamJournal.open(STREAMS, options(power)).close();
            writeFormat(power, 2);
            try (StreamFolder folder = open(power)) {
                assertThatThrownBy(() -> folder.load(Set.of(1L)))
                        .isInstanceOf(NewerFormatException.class)
                        .hasMessageContaining(JOURNAL.resolve("journal.ctl").toString())
                        .hasMessageContaining("version 2")
                        .hasMessageContaining("expected at most 1");
            }
            writeFormat(power, 1);
            StreamJournal.open(STREAMS, options(power)).close();
        }
    }

    /** A journal from before the file existed is of version 1, and gets the file. */
    @Test
    void aJournalWithoutTheFileIsOfTheFirstVersion() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power)) {
            long number = create(folder, 1).getFirst();
            add(folder, number);
            folder.sync();
            try (PowerLossStorage image = power.image(new SplittableRandom(1))) {
                image.delete(JOURNAL.resolve(JournalFormat.NAME));
                try (StreamFolder again = open(image)) {
                    again.load(Set.of(number));
                    assertThat(end(again, number)).isOne();
                }
                assertThat(JournalFormat.check(JOURNAL, image)).isTrue();
            }
        }
    }

    /** A record is no entry. Its stream is refused, with the place, and the journal keeps the record. Other streams continue. */
    @Test
    void aRecordThatIsNoEntryHoldsUpItsStreamAlone() {
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            List<Long> numbers = closed(power, 2);
            long damaged = numbers.getFirst();
            long whole = numbers.getLast();
            long position = append(power, record(damaged, identity(power, damaged), new byte[5]));
            try (StreamJournal journal = StreamJournal.open(STREAMS, options(power))) {
                journal.add(whole, identity(power, whole), 0, new StreamId(1, 0), fields(1));
                journal.sync();
            }
            try (StreamFolder folder = open(power)) {
                folder.load(Set.copyOf(numbers));
                assertThatThrownBy(() -> folder.use(damaged))
                        .isInstanceOf(LarderException.class)
                        .hasMessageContaining("stream " + damaged)
                        .hasMessageContaining(Position.toString(position) + " holds no entry");
                assertThat(end(folder, whole)).isOne();
                assertThatThrownBy(() -> backUp(folder, power, damaged)).hasMessageContaining("stream " + damaged);
                assertThatCode(() -> backUp(folder, power, whole)).doesNotThrowAnyException();
            }
            assertThat(pendingBytes(power)).isPositive();
        }
    }

    private static void backUp(StreamFolder folder, Storage storage, long number) {
        Path to = Path.of("/", "backup" + number);
        StreamEnds ends = new StreamEnds();
        ends.takeAll(folder);
        try (StreamsMoment moment = folder.moment(ends);
                LarderMap<byte[], byte[]> records = LarderMap.open(
                        to.resolve("records"),
                        ValueCodec.bytes(),
                        ValueCodec.bytes(),
                        MapOptions.defaults().withLog(options(storage).withLargestSegmentBytes(SEGMENT_BYTES)))) {
            moment.writeTo(to, records, Set.of(number), () -> {});
        }
    }

    /** A record that no server wrote is refused, with its place; the journal keeps all. */
    @Test
    void aRecordThatIsTooShortIsRefused() {
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            List<Long> numbers = closed(power, 1);
            long position = append(power, new byte[3]);
            try (StreamFolder folder = open(power)) {
                assertThatThrownBy(() -> folder.load(Set.copyOf(numbers)))
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining(JOURNAL.toString())
                        .hasMessageContaining("the record at " + Position.toString(position) + " has 3 bytes");
            }
            assertThat(pendingBytes(power)).isPositive();
        }
    }

    /** Returns streams of a folder that was closed. */
    private static List<Long> closed(PowerLossStorage power, int count) {
        try (StreamFolder folder = open(power)) {
            List<Long> numbers = create(folder, count);
            numbers.forEach(number -> assertThat(end(folder, number)).isZero());
            return numbers;
        }
    }

    private static UUID identity(PowerLossStorage power, long number) {
        try (StreamQueue queue = StreamQueue.open(STREAMS.resolve(Long.toString(number)), options(power))) {
            return queue.identity();
        }
    }

    private static byte[] record(long number, UUID queue, byte[] message) {
        return ByteBuffer.allocate(32 + message.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .putLong(0)
                .putLong(queue.getMostSignificantBits())
                .putLong(queue.getLeastSignificantBits())
                .put(message)
                .array();
    }

    /** Appends to the journal as a program does that is no server. Returns the record's position. */
    private static long append(PowerLossStorage power, byte[] record) {
        try (Log log = Log.open(JOURNAL, StreamJournal.logOptions(options(power)));
                LogAppender appender = log.appender()) {
            return appender.append(record);
        }
    }

    private static long pendingBytes(PowerLossStorage power) {
        try (StreamJournal journal = StreamJournal.open(STREAMS, options(power))) {
            return journal.pendingBytes();
        }
    }

    /** There is no room for the journal's next segment. Queues are flushed instead, and later the journal continues. */
    @Test
    void aFullDiskWhileTheJournalRollsLosesNothing() {
        AtomicBoolean full = new AtomicBoolean();
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(new DelegatingStorage(power) {
                    @Override
                    public Optional<StorageFile> create(Path file, Access access) {
                        if (full.get() && file.startsWith(JOURNAL)) {
                            throw new DiskFullException(file + ": no space left on device");
                        }
                        return super.create(file, access);
                    }
                })) {
            long number = create(folder, 1).getFirst();
            full.set(true);
            int entries = 0;
            boolean journaled = true;
            while (journaled) {
                assertThat(entries).as("the journal has rolled without room").isLessThan(200);
                add(folder, number, LONG_VALUE_BYTES);
                entries++;
                folder.sync();
                journaled = isBehind(folder, number);
            }
            requireEnd(power, number, entries);
            add(folder, number, LONG_VALUE_BYTES);
            entries++;
            folder.sync();
            requireEnd(power, number, entries);
            full.set(false);
            while (!journaled) {
                assertThat(entries).as("the journal goes on").isLessThan(400);
                add(folder, number, LONG_VALUE_BYTES);
                entries++;
                folder.sync();
                journaled = isBehind(folder, number);
            }
            requireEnd(power, number, entries);
        }
    }

    private static void requireEnd(PowerLossStorage power, long number, long entries) {
        try (PowerLossStorage image = power.image(new SplittableRandom(entries));
                StreamFolder again = open(image)) {
            again.load(Set.of(number));
            assertThat(end(again, number)).isEqualTo(entries);
        }
    }

    /** The power fails at each of the last steps of a sync of the queues: the bookmark moves, and segments are deleted. */
    @Test
    void aLossOfPowerBetweenRollAndDeleteLosesNothing() {
        int steps = 0;
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power)) {
            List<Long> numbers = create(folder, 2);
            Map<Long, Long> added = new HashMap<>();
            for (int i = 0; i < 80; i++) {
                long number = numbers.get(i % 2);
                add(folder, number, LONG_VALUE_BYTES);
                added.merge(number, 1L, Long::sum);
            }
            folder.sync();
            Thread caller = Thread.currentThread();
            Deque<PowerLossStorage> images =
                    new ArrayDeque<>(); // of the last steps: there the journal gives its space back
            int[] step = {0};
            power.beforeEachStep(() -> {
                if (Thread.currentThread().equals(caller)) {
                    images.add(power.image(new SplittableRandom(step[0]++)));
                    if (images.size() > LAST_STEPS) {
                        images.remove().close();
                    }
                }
            });
            folder.commits().apply();
            power.beforeEachStep(() -> {});
            for (PowerLossStorage image : images) {
                try (image;
                        StreamFolder again = open(image)) {
                    again.load(Set.copyOf(numbers));
                    numbers.forEach(number -> assertThat(end(again, number)).isEqualTo(added.get(number)));
                    steps++;
                }
            }
        }
        assertThat(steps).isPositive();
    }
}
