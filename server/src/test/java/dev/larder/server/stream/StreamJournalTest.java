package dev.larder.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.resp.Request;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The power fails while the journal syncs entries of several streams. Each stream has the synced entries, once. */
@Timeout(300)
@Tag("in-memory")
final class StreamJournalTest {

    private static final Path STREAMS = Path.of("/", "streams");
    private static final int STREAMS_COUNT = 3;
    private static final int STEPS = 40;
    private static final int SEGMENT_BYTES = 2 << 20;

    /** How many entries of each stream are acknowledged, by a sync. */
    private final Map<Long, Long> synced = new HashMap<>();

    /** How many there will be after the next sync, for streams that were given an entry since the last one. */
    private final Map<Long, Long> unsynced = new HashMap<>();

    /** How many entries each stream was given, including those for which an error was reported. */
    private final Map<Long, Long> added = new HashMap<>();

    private static LogOptions options(PowerLossStorage storage, IntegrityMode integrity) {
        return HookedOptions.withStorage(LogOptions.defaults(), storage)
                .withPrepareBytes(0)
                .withIntegrity(integrity);
    }

    private static StreamFolder open(PowerLossStorage storage, IntegrityMode integrity) {
        return open(STREAMS, options(storage, integrity));
    }

    private static StreamFolder open(Path streams, LogOptions options) {
        LarderMap<byte[], byte[]> records = LarderMap.open(
                streams.resolve("records"),
                ValueCodec.bytes(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options.withLargestSegmentBytes(SEGMENT_BYTES)));
        return new StreamFolder(streams, records, options, SEGMENT_BYTES, OptionalLong.empty());
    }

    private static Fields fields(long number, long sequence) {
        return Fields.of(
                Request.of(List.of(
                        "field".getBytes(StandardCharsets.UTF_8),
                        (number + ":" + sequence).getBytes(StandardCharsets.UTF_8))),
                0);
    }

    /** Returns the next id. Ids have gaps where entries were lost that were not acknowledged. */
    private static StreamId nextId(Stream stream) {
        return new StreamId(stream.last().millis() + 1, 0);
    }

    private static void use(StreamFolder folder, long number, Consumer<Stream> action) {
        try (Stream stream = Objects.requireNonNull(folder.use(number))) {
            action.accept(stream);
        }
    }

    private void add(StreamFolder folder, long number) {
        use(folder, number, stream -> {
            long sequence = stream.end();
            added.put(number, sequence + 1); // also if an error says that it may not be there
            stream.add(nextId(stream), fields(number, sequence));
            unsynced.put(number, sequence + 1);
        });
    }

    private void sync(StreamFolder folder) {
        Map<Long, Long> waiting = new HashMap<>(unsynced);
        unsynced.clear();
        folder.sync();
        synced.putAll(waiting);
    }

    private Set<Long> create(StreamFolder folder) {
        folder.load(Set.of());
        Set<Long> named = new HashSet<>();
        unsynced.clear();
        for (int i = 0; i < STREAMS_COUNT; i++) {
            long number = folder.create();
            added.put(number, 0L);
            synced.put(number, 0L);
            named.add(number);
        }
        return named;
    }

    /** Opens the state after a loss of power. Each stream must have its entries up to the last sync, or up to a later entry. */
    private void requireSynced(PowerLossStorage image, IntegrityMode integrity, Set<Long> named) {
        try (StreamFolder folder = open(image, integrity)) {
            folder.load(named);
            folder.setJournals(true);
            for (long number : named) {
                use(folder, number, stream -> {
                    assertThat(stream.end())
                            .as("entries of stream %d", number)
                            .isBetween(synced.get(number), added.get(number));
                    requireEntries(stream, number);
                    long next = stream.end();
                    stream.add(nextId(stream), fields(number, next));
                    requireEntries(stream, number);
                });
            }
            folder.sync();
        }
    }

    private static void requireEntries(Stream stream, long number) {
        List<String> values = new ArrayList<>();
        stream.forEach(0, stream.end(), Long.MAX_VALUE, (id, segment, offset) -> {
            long value = EntryFrame.next(segment, EntryFrame.first(offset));
            byte[] bytes = segment.asSlice(EntryFrame.bytes(value), EntryFrame.length(segment, value))
                    .toArray(ValueLayout.JAVA_BYTE);
            values.add(new String(bytes, StandardCharsets.UTF_8));
        });
        assertThat(values)
                .isEqualTo(LongStream.range(0, stream.end())
                        .mapToObj(sequence -> number + ":" + sequence)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void whatWasSyncedIsThereOnce(IntegrityMode integrity) {
        int seeds = Effort.of(3, 6, 200);
        for (long seed = 1; seed <= seeds; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            try (PowerLossStorage power = new PowerLossStorage(seed);
                    StreamFolder folder = open(power, integrity)) {
                Set<Long> named = create(folder);
                folder.setJournals(true);
                List<Long> numbers = List.copyOf(named);
                for (int step = 0; step < STEPS; step++) {
                    change(folder, numbers.get(random.nextInt(STREAMS_COUNT)), power, random);
                    if (random.nextInt(10) == 0) {
                        try (PowerLossStorage image = power.image(random)) {
                            requireSynced(image, integrity, named);
                        }
                    }
                }
            }
        }
    }

    private void change(StreamFolder folder, long number, PowerLossStorage power, SplittableRandom random) {
        switch (random.nextInt(12)) {
            case 0, 1 -> sync(folder);
            case 2 -> power.writeBackSome(0.5);
            case 3 -> use(folder, number, Stream::saveHead);
            case 4 -> folder.commits().apply(); // as when the journal has become long
            case 5 -> {
                folder.setJournals(false);
                add(folder, number);
                folder.setJournals(true);
            }
            default -> add(folder, number);
        }
    }

    /** The control: the queues alone lack the synced entries, so it is the journal that keeps them. */
    @Test
    void theQueuesAreNotFlushed() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power, IntegrityMode.RECORD)) {
            long number = create(folder).iterator().next();
            folder.setJournals(true);
            sync(folder);
            add(folder, number);
            sync(folder);
            long without = 0;
            for (long seed = 1; seed <= 50; seed++) {
                try (PowerLossStorage image = power.image(new SplittableRandom(seed));
                        StreamQueue queue = StreamQueue.open(
                                STREAMS.resolve(Long.toString(number)), options(image, IntegrityMode.RECORD))) {
                    without += queue.toEnd() == 0 ? 1 : 0;
                }
            }
            assertThat(without).isPositive();
        }
    }

    /** A removed stream, and a number that comes again, get nothing that the journal holds. */
    @Test
    void aNewStreamGetsNothingOfAnOldOne() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power, IntegrityMode.RECORD)) {
            long number = create(folder).iterator().next();
            folder.setJournals(true);
            add(folder, number);
            sync(folder);
            try (PowerLossStorage image = power.image(new SplittableRandom(1))) {
                try (StreamFolder without = open(image, IntegrityMode.RECORD)) {
                    without.load(Set.of());
                }
                try (StreamFolder again = open(image, IntegrityMode.RECORD)) {
                    again.load(Set.of(number + 10));
                    use(again, number + 10, stream -> assertThat(stream.end()).isZero());
                }
                try (StreamJournal journal = StreamJournal.open(STREAMS, options(image, IntegrityMode.RECORD))) {
                    assertThat(journal.pendingBytes()).isZero();
                }
            }
        }
    }

    /**
     * A number comes again while the journal still has entries of its former stream. The journal keeps them because of another
     * stream, whose queue is damaged. The new stream gets none of them.
     */
    @Test
    void aNumberThatComesAgainGetsNothingOfTheOldQueue(@TempDir Path directory) throws IOException {
        LogOptions options = LogOptions.defaults().withPrepareBytes(0);
        Path killed = directory.resolve("killed");
        long damaged;
        long again;
        try (StreamFolder folder = open(directory.resolve("live"), options)) {
            List<Long> numbers = create(folder).stream().sorted().toList();
            damaged = numbers.getFirst();
            again = numbers.get(1);
            folder.setJournals(true);
            sync(folder);
            add(folder, damaged);
            for (int i = 0; i < 3; i++) {
                add(folder, again);
            }
            sync(folder);
            numbers.stream().skip(1).forEach(folder::remove);
            copy(directory.resolve("live"), killed);
        }
        Path control = killed.resolve(damaged + "/log.ctl");
        byte[] whole = Files.readAllBytes(control);
        Files.write(control, Arrays.copyOf(whole, 100));
        try (StreamFolder folder = open(killed, options)) {
            folder.load(Set.of(damaged));
            assertThat(folder.create()).as("a number that had a stream before").isEqualTo(again);
            added.put(again, 0L);
            add(folder, again);
            sync(folder);
        }
        Files.write(control, whole);
        try (StreamFolder folder = open(killed, options)) {
            folder.load(Set.of(damaged, again));
            for (long number : Set.of(damaged, again)) {
                use(folder, number, stream -> {
                    assertThat(stream.end()).as("entries of stream %d", number).isOne();
                    requireEntries(stream, number);
                });
            }
        }
    }

    /** A start reads a piece of the journal at a time, so its heap does not grow with the journal. */
    @Test
    void aStartGoesThroughTheJournalInPieces() {
        replay(
                queue -> queue,
                7,
                openings -> assertThat(openings)
                        .as("each piece opens queues anew")
                        .isGreaterThanOrEqualTo(STREAMS_COUNT * STEPS / 7));
    }

    /** A start opens several queues at once, because each of them waits for the disk. */
    @Test
    void aStartOpensSeveralQueuesAtOnce() {
        CountDownLatch two = new CountDownLatch(2);
        replay(
                queue -> {
                    two.countDown();
                    assertThatCode(() -> assertThat(two.await(1, TimeUnit.MINUTES))
                                    .as("another queue is opened meanwhile")
                                    .isTrue())
                            .doesNotThrowAnyException();
                    return queue;
                },
                Integer.MAX_VALUE,
                openings -> assertThat(openings).isEqualTo(STREAMS_COUNT));
    }

    /** Lets a start bring back what a loss of power took from all queues. Each stream has its entries then. */
    private void replay(UnaryOperator<StreamQueue> opened, int windowMessages, IntConsumer openings) {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power, IntegrityMode.RECORD)) {
            Set<Long> named = create(folder);
            folder.setJournals(true);
            sync(folder);
            for (int step = 0; step < STEPS; step++) {
                named.forEach(number -> add(folder, number));
            }
            sync(folder);
            AtomicInteger count = new AtomicInteger();
            try (PowerLossStorage image = power.image(new SplittableRandom(1))) {
                LogOptions options = options(image, IntegrityMode.RECORD);
                try (StreamJournal journal = StreamJournal.open(STREAMS, options)) {
                    LongFunction<StreamQueue> queues = number -> {
                        count.incrementAndGet();
                        return opened.apply(StreamQueue.open(STREAMS.resolve(Long.toString(number)), options));
                    };
                    assertThat(new JournalReplay(journal, queues, windowMessages, Thread::new).run(named))
                            .isEmpty();
                    assertThat(journal.pendingBytes()).isZero();
                }
                openings.accept(count.get());
                requireSynced(image, IntegrityMode.RECORD, named);
            }
        }
    }

    /** Each flush fails in turn. Entries whose sync has succeeded are not lost, whichever flush it was. */
    @Test
    void aFlushThatFailsAcknowledgesNothing() {
        int failed = 0;
        for (int number = 1; number <= Effort.of(12, 25, 60); number++) {
            try (PowerLossStorage power = new PowerLossStorage(number)) {
                failed += failFlush(power, number);
            }
        }
        assertThat(failed).isPositive();
    }

    /** Returns how many changes have failed. */
    private int failFlush(PowerLossStorage power, int flush) {
        int failed = 0;
        SplittableRandom random = new SplittableRandom(flush);
        StreamFolder folder = open(power, IntegrityMode.RECORD);
        Set<Long> named = create(folder);
        folder.setJournals(true);
        List<Long> numbers = List.copyOf(named);
        power.failForce(flush);
        for (int step = 0; step < STEPS; step++) {
            try {
                change(folder, numbers.get(step % STREAMS_COUNT), power, random);
                sync(folder);
            } catch (LarderException e) {
                failed++;
            }
        }
        try (PowerLossStorage image = power.image(random)) {
            requireSynced(image, IntegrityMode.RECORD, named);
        }
        try {
            folder.close();
        } catch (LarderException e) {
            failed++;
        }
        return failed;
    }

    /** If the queue of a stream fails, its entries are not acknowledged. Those of others are, from the next sync but one on. */
    @Test
    void aQueueThatFailsHoldsUpOthersForAMoment() {
        try (PowerLossStorage power = new PowerLossStorage(1)) {
            StreamFolder folder = open(power, IntegrityMode.RECORD);
            List<Long> numbers = List.copyOf(create(folder));
            add(folder, numbers.getFirst());
            power.failForce(1);
            assertThatThrownBy(folder::sync).isInstanceOf(LarderException.class);
            assertThatThrownBy(folder::sync).as("who added an entry meanwhile").isInstanceOf(LarderException.class);
            assertThatThrownBy(() -> add(folder, numbers.getFirst())).isInstanceOf(LarderException.class);
            add(folder, numbers.get(1));
            sync(folder);
            try (PowerLossStorage image = power.image(new SplittableRandom(1))) {
                requireSynced(image, IntegrityMode.RECORD, Set.of(numbers.get(1)));
            }
            assertThatThrownBy(folder::close).isInstanceOf(LarderException.class);
        }
    }

    /**
     * A killed process has left entries that were counted, and not flushed: they are still in memory. An entry behind them is
     * durable only together with them, so it does not go to the journal before they are flushed.
     */
    @Test
    void whatAKilledProcessHasLeftIsFlushedFirst(@TempDir Path directory) throws IOException {
        LogOptions options = LogOptions.defaults().withPrepareBytes(0);
        Path killed = directory.resolve("killed");
        Set<Long> named;
        try (StreamFolder folder = open(directory.resolve("live"), options)) {
            named = create(folder);
            for (long number : named) {
                add(folder, number);
                use(folder, number, Stream::saveHead);
            }
            copy(directory.resolve("live"), killed);
        }
        try (StreamFolder folder = open(killed, options)) {
            folder.load(named);
            folder.setJournals(true);
            for (long number : named) {
                use(folder, number, stream -> assertThat(stream.end()).isOne());
                add(folder, number);
                use(folder, number, stream -> assertThat(stream.isBehind()).isFalse());
            }
            folder.sync();
            for (long number : named) {
                add(folder, number);
                use(folder, number, stream -> assertThat(stream.isBehind()).isTrue());
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (java.util.stream.Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    /** A queue that cannot take its entries from the journal is refused, and the journal keeps them. Other queues continue. */
    @Test
    void aQueueThatCannotTakeItsEntriesHoldsUpNoOther() {
        try (PowerLossStorage power = new PowerLossStorage(1);
                StreamFolder folder = open(power, IntegrityMode.RECORD)) {
            List<Long> numbers = List.copyOf(create(folder));
            folder.setJournals(true);
            sync(folder);
            numbers.forEach(number -> add(folder, number));
            sync(folder);
            long damaged = numbers.getFirst();
            try (PowerLossStorage image = power.image(new SplittableRandom(1))) {
                image.truncate(STREAMS.resolve(damaged + "/log.ctl"), 100);
                try (StreamFolder again = open(image, IntegrityMode.RECORD)) {
                    again.load(Set.copyOf(numbers));
                    again.setJournals(true);
                    assertThatThrownBy(() -> again.use(damaged))
                            .isInstanceOf(LarderException.class)
                            .hasMessageContaining("stream " + damaged + " lacks entries that are still in the journal");
                    numbers.subList(1, numbers.size())
                            .forEach(number -> use(again, number, stream -> requireEntries(stream, number)));
                    again.sync();
                }
                try (StreamJournal journal = StreamJournal.open(STREAMS, options(image, IntegrityMode.RECORD))) {
                    assertThat(journal.pendingBytes()).isPositive();
                }
            }
        }
    }
}
