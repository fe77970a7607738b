package dev.larder.array.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.pull.PullSource.Source;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeContent;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A store is pulled as files from another node, however often either side ends. */
final class PullTest {

    private static final UUID STRIPE = new UUID(3, 4);
    private static final int SOURCE = 1;
    private static final int PULLER = 2;
    private static final PullLimits LIMITS = PullLimits.of(1L << 34, 0, 1);
    private static final long RESERVE_BYTES = 1000;
    private static final Logger LOGGER = Logger.getLogger("dev.larder.array");
    private static final int KEYS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private final AtomicLong begun = new AtomicLong(-1);
    private final Set<ByteBuffer> reads = ConcurrentHashMap.newKeySet();
    private StoreStripe stripe;
    private PullSource source;
    private PullLink puller;
    private ObjIntConsumer<ByteBuffer> wire = (frame, node) -> source(frame);
    private long index;

    @BeforeEach
    void open() {
        stripe = open(directory.resolve("source"));
        for (int key = 0; key < KEYS; key++) {
            apply("SET", "key" + key, "value".repeat(10_000));
            apply("XADD", "stream" + key % 3, "*", "field", "value" + key);
        }
        source = openSource();
        puller = new PullLink((frame, node) -> wire.accept(frame, node), source);
    }

    @AfterEach
    void close() {
        source.close();
        stripe.close();
    }

    private static StoreStripe open(Path folder) {
        return StoreStripe.open(folder, 2 << 20, InstantSource.system(), () -> {}, cause -> {});
    }

    private PullSource openSource() {
        Source store = new Source(
                stripe,
                directory.resolve("source"),
                directory.resolve("source.record"),
                directory.resolve("source.members"),
                () -> true);
        return new PullSource(
                id -> id.equals(STRIPE) ? Optional.of(store) : Optional.empty(),
                (frame, node) -> puller.received(SOURCE, frame),
                Long.MAX_VALUE,
                Long.MAX_VALUE);
    }

    private void apply(String... words) {
        StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            request.append("$" + word.length() + "\r\n" + word + "\r\n");
        }
        byte[] bytes = request.toString().getBytes(StandardCharsets.US_ASCII);
        Entry entry = new Entry(1_900_000_000_000L + index, List.of(Operation.of(new EntryCall(2, bytes))));
        stripe.apply(new Place(1, index++), entry.encode());
    }

    private void source(ByteBuffer frame) {
        PullFrame request = PullFrame.decode(frame);
        if (request.operation() == PullFrame.Operation.READ) {
            reads.add(request.body().slice(Long.BYTES, request.body().remaining() - Long.BYTES));
        }
        source.received(PULLER, PullFrame.decode(frame));
    }

    private PulledFolder folder() {
        return new PulledFolder(directory.resolve("store"), directory.resolve("store.record"));
    }

    private void pull(long least) throws InterruptedException {
        pull(LIMITS, least);
    }

    private void pull(PullLimits limits, long least) throws InterruptedException {
        pull(limits, least, Patience.ofNode());
    }

    private void pull(PullLimits limits, long least, Patience patience) throws InterruptedException {
        new Pull(puller, limits, STRIPE, folder(), begun::set, patience)
                .run(() -> List.of(SOURCE), least, files -> true);
    }

    /** Pulls until some files are here, and ends then, like a process that is killed. */
    private void pullSome(int frames) throws Exception {
        AtomicInteger left = new AtomicInteger(frames);
        wire = (frame, node) -> {
            if (left.decrementAndGet() >= 0) {
                source(frame);
            }
        };
        Thread[] thread = new Thread[1];
        CompletableFuture<Void> ended = OtherThread.run(() -> {
            thread[0] = Thread.currentThread();
            try {
                pull(0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        await().atMost(PATIENCE).until(() -> left.get() < 0);
        thread[0].interrupt();
        ended.get(1, TimeUnit.MINUTES);
        wire = (frame, node) -> source(frame);
        assertThat(folder().isWhole()).isFalse();
    }

    private void requireSame() {
        folder().install(Optional.of(directory.resolve("store.members")));
        assertThat(folder().exists()).isFalse();
        try (StoreStripe pulled = open(directory.resolve("store"))) {
            assertThat(pulled.durable().index()).isEqualTo(begun.get());
            assertThat(StripeContent.of(pulled))
                    .isEqualTo(StripeContent.of(stripe))
                    .hasSize(KEYS + 3);
        }
    }

    @Test
    void aStoreComesAsFiles() throws Exception {
        stripe.apply(new Place(1, index++), StoreStripe.recordEntry(0, "beside"));
        Files.writeString(directory.resolve("source.members"), "committed");
        Files.writeString(directory.resolve("store.record"), "before");
        pull(5);
        assertThat(begun.get()).isEqualTo(index - 1);
        requireSame();
        assertThat(directory.resolve("store.record"))
                .binaryContent()
                .isEqualTo(Files.readAllBytes(directory.resolve("source.record")));
        assertThat(directory.resolve("store.members")).hasContent("committed");
        await().atMost(PATIENCE).until(() -> {
            stripe.sync();
            apply("SET", "key0", "value".repeat(10_000));
            stripe.sync();
            return stripe.durable().index() == index - 1; // the moment is held no longer
        });
    }

    /** Returns limits with an answer to the question how much of the disk is free. */
    private static PullLimits limits(LongSupplier free) {
        return new PullLimits(
                new PullRate(1L << 34), new DiskRoom(RESERVE_BYTES, folder -> free.getAsLong()), new Semaphore(1));
    }

    private CompletableFuture<Void> pullBeside(PullLimits limits) {
        return OtherThread.run(() -> {
            try {
                pull(limits, 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Collects the warnings of pulls. */
    private Handler collectWarnings() {
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getLevel().equals(Level.WARNING)
                        && record.getMessage().contains("cannot pull")) {
                    warnings.add(record.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(handler);
        return handler;
    }

    /** Regression: a pull filled the disk, and that ended the healthy members of its node. */
    @Test
    void aPullWaitsForFreeSpaceAndSaysSoOnce() throws Exception {
        AtomicLong free = new AtomicLong(RESERVE_BYTES);
        Handler handler = collectWarnings();
        try {
            CompletableFuture<Void> pulling =
                    pullBeside(limits(free::incrementAndGet)); // each look finds another number
            await().atMost(PATIENCE).until(() -> free.get() > RESERVE_BYTES + 3);
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(folder() + ": ", "bytes must be free", "but " + (RESERVE_BYTES + 1) + " bytes are");
            assertThat(folder().exists()).isFalse();
            assertThat(begun.get()).isEqualTo(-1);
            free.set(1L << 40);
            pulling.get(1, TimeUnit.MINUTES);
        } finally {
            LOGGER.removeHandler(handler);
        }
        assertThat(warnings).hasSize(1);
        requireSame();
    }

    /** Other members fill the disk meanwhile. */
    @Test
    void aPullStopsBeforeTheDiskIsFull() throws Exception {
        AtomicLong free = new AtomicLong(1L << 40);
        wire = (frame, node) -> {
            source(frame);
            if (reads.stream().anyMatch(read -> read.getInt(0) == 1)) {
                free.compareAndSet(1L << 40, RESERVE_BYTES);
            }
        };
        Handler handler = collectWarnings();
        try {
            CompletableFuture<Void> pulling = pullBeside(limits(free::get));
            await().atMost(PATIENCE).until(() -> !warnings.isEmpty());
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains(folder() + ": ", "but " + RESERVE_BYTES + " bytes are");
            assertThat(folder().isWhole()).isFalse();
            assertThat(reads).noneMatch(read -> read.getInt(0) == 2);
            free.set(1L << 41);
            pulling.get(1, TimeUnit.MINUTES);
        } finally {
            LOGGER.removeHandler(handler);
        }
        requireSame();
    }

    /** Regression: a backup onto a disk without room never ended. */
    @Test
    @Timeout(60)
    void aProgramWhoseDiskHasNoRoomEnds() {
        assertThatThrownBy(() -> pull(limits(() -> 0), 0, Patience.ofProgram()))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("cannot pull stripe " + STRIPE, "bytes must be free", "but 0 bytes are");
    }

    /** Regression: a backup into a folder that cannot be written never ended. */
    @Test
    @Timeout(60)
    void aProgramWhoseDiskFailsEnds() throws IOException {
        Files.writeString(directory.resolve("store.pulling"), "in the place of the folder");
        assertThatThrownBy(() -> pull(LIMITS, 0, Patience.ofProgram())).isInstanceOf(StorageException.class);
    }

    /** The source refuses: it does not have so many entries. */
    @Test
    @Timeout(60)
    void aProgramEndsWhenItsSourceFailsForAMinute() {
        AtomicLong nanos = new AtomicLong();
        assertThatThrownBy(() ->
                        pull(LIMITS, 1000, Patience.ofProgram(() -> nanos.getAndAdd(TimeUnit.SECONDS.toNanos(40)))))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("but the request needs 1000", "(tried for 60 s)");
        assertThat(nanos.get()).isEqualTo(TimeUnit.SECONDS.toNanos(120));
    }

    /** Each pull alone would have room. */
    @Test
    void pullsTakeNoMoreRoomTogetherThanThereIs() throws Exception {
        DiskRoom room = new DiskRoom(10, folder -> 100);
        Path first = Path.of("first");
        Path second = Path.of("second");
        room.take(first, 80);
        room.take(first, 60);
        assertThatThrownBy(() -> room.take(second, 31))
                .isInstanceOf(IOException.class)
                .hasMessage("second: 101 bytes must be free on this disk, but 100 bytes are: this pull needs 31, "
                        + "other pulls 60, and 10 stay free for the other members");
        assertThat(room.has(second, 30)).isTrue();
        assertThat(room.has(second, 31)).isFalse();
        room.release(first);
        room.take(second, 90);
    }

    /** Files that have arrived stay, while the source holds the same moment. */
    @Test
    void aPullGoesOnWhereItEnded() throws Exception {
        pullSome(30);
        Set<ByteBuffer> before = Set.copyOf(reads);
        reads.clear();
        pull(0);
        requireSame();
        reads.retainAll(before);
        List<Integer> askedForAgain = reads.stream()
                .map(read -> read.getInt(0))
                .filter(file -> file != PullFrame.LIST)
                .distinct()
                .toList();
        assertThat(askedForAgain).as("files").hasSizeLessThanOrEqualTo(1); // that in which the pull ended
        assertThat(before).as("parts of files").hasSizeGreaterThan(reads.size());
    }

    /** A source that starts again holds no moment, so all is pulled anew, at a later entry. */
    @Test
    void aPullBeginsAnewWhereTheSourceHoldsNothing() throws Exception {
        pullSome(30);
        source.close();
        source = openSource();
        puller = new PullLink((frame, node) -> wire.accept(frame, node), source);
        apply("SET", "key0", "other");
        pull(0);
        assertThat(begun.get()).isEqualTo(index - 1);
        requireSame();
    }

    @Test
    void whatIsLostOnTheWayIsAskedForAgain() throws Exception {
        AtomicInteger frames = new AtomicInteger();
        wire = (frame, node) -> {
            if (frames.incrementAndGet() != 3) {
                source(frame);
            }
        };
        pull(0);
        requireSame();
    }

    /** The source names the place to which its files lead: the term counts as well. */
    @Test
    void filesThatAreNotEnoughAreNotPulled() throws Exception {
        List<Place> offered = new ArrayList<>();
        new Pull(puller, LIMITS, STRIPE, folder(), begun::set, Patience.ofNode())
                .run(() -> List.of(SOURCE), 0, files -> {
                    assertThat(begun.get()).isEqualTo(-1); // nothing is pulled before
                    offered.add(files);
                    return offered.size() == 2;
                });
        assertThat(offered).containsExactly(new Place(1, index - 1), new Place(1, index - 1));
        assertThat(folder().place()).isEqualTo(new Place(1, index - 1));
        requireSame();
    }

    /** The process is killed while it puts whole files in place. The next start does the rest. */
    @Test
    void filesThatAreInPlaceInPartArePutThereAgain() throws Exception {
        Path old = Files.createDirectories(directory.resolve("store").resolve("0"));
        Files.writeString(old.resolve("old"), "of the store before");
        pull(0);
        Files.delete(old.resolve("old"));
        Files.delete(old);
        Files.delete(directory.resolve("store"));
        Files.move(directory.resolve("store.pulling/files/store"), directory.resolve("store"));
        assertThat(folder().isWhole()).isTrue();
        requireSame();
    }

    @Test
    void aFileThatIsNotAsItCameDoesNotCount() throws Exception {
        PulledFolder folder = folder();
        folder.begin(new PulledFolder.Origin(SOURCE, 1, 2, 3, 4));
        Files.writeString(folder.path("store/0/file"), "damaged");
        folder.done("store/0/file", 7, 1);
        assertThatThrownBy(folder::finish).isInstanceOf(IOException.class).hasMessageContaining("pulls it again");
        assertThat(folder.isWhole()).isFalse();
    }

    /** The damaged file is pulled again, and the others are not. */
    @Test
    void onlyAFileThatIsNotAsItCameIsPulledAgain() throws Exception {
        pull(0);
        Files.delete(directory.resolve("store.pulling/whole"));
        Path files = directory.resolve("store.pulling/files");
        Path damaged;
        try (Stream<Path> all = Files.walk(files)) {
            damaged = all.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        long sizeBytes = Files.size(damaged);
        String name = files.relativize(damaged).toString();
        PulledFolder folder = folder();
        folder.goOn();
        assertThat(folder.isDone(name, sizeBytes)).isTrue();
        Files.write(damaged, new byte[] {1}, StandardOpenOption.APPEND);
        assertThatThrownBy(folder::finish).isInstanceOf(IOException.class).hasMessageContaining("pulls it again");
        assertThat(damaged).doesNotExist();
        folder.goOn();
        assertThat(folder.isDone(name, sizeBytes)).isFalse();
        folder.finish(); // the others are as they came
    }

    /**
     * The process is killed after it has checked the files, and before it records that they are whole. The files are unchanged.
     */
    @Test
    void filesThatWereCheckedAreCheckedAgain() throws Exception {
        pull(0);
        Files.delete(directory.resolve("store.pulling/whole"));
        PulledFolder folder = folder();
        folder.goOn();
        folder.finish();
        requireSame();
    }

    /** The process is killed while it records a file. That file is pulled again, and the next one is recorded. */
    @Test
    void aLineWithoutItsEndTakesNoOther() throws Exception {
        PulledFolder folder = folder();
        folder.begin(new PulledFolder.Origin(SOURCE, 1, 2, 3, 4));
        Files.writeString(directory.resolve("store.pulling/done"), "0000", StandardOpenOption.APPEND);
        folder.goOn();
        Files.writeString(folder.path("store/0/file"), "whole");
        folder.done("store/0/file", 5, 1);
        folder.goOn();
        assertThat(folder.isDone("store/0/file", 5)).isTrue();
    }

    @Test
    void aSourceNamesNoFileElsewhere() throws Exception {
        PulledFolder folder = folder();
        folder.begin(new PulledFolder.Origin(SOURCE, 1, 2, 3, 4));
        for (String name : List.of("../store", "store/../../x", "/etc/passwd", "other")) {
            assertThatThrownBy(() -> folder.path(name))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void aSourceServesWhoHasEnoughAndOneAtATime() throws Exception {
        assertThat(refusal(puller, SOURCE, index)).contains("the request needs");
        puller.ask(SOURCE, PullFrame.Operation.BEGIN, PullFrame.begin(STRIPE, 0), PullFrame.Operation.BEGUN);
        wire = (frame, node) -> source.received(7, PullFrame.decode(frame));
        assertThat(refusal(puller, SOURCE, 0)).contains("it serves node " + PULLER);
    }

    /** A former process of the node sent requests, too, and their answers may come late. */
    @Test
    void numbersOfRequestsDifferFromThoseOfTheLastProcess() throws Exception {
        Set<Long> numbers = ConcurrentHashMap.newKeySet();
        for (int process = 0; process < 2; process++) {
            PullLink link = new PullLink(
                    (frame, node) -> numbers.add(PullFrame.decode(frame).number()));
            link.tell(SOURCE, PullFrame.Operation.END, PullFrame.longs(1));
        }
        assertThat(numbers).hasSize(2);
    }

    @Test
    void anAnswerOfAnotherNodeIsNotTaken() throws Exception {
        PullLink[] link = new PullLink[1];
        link[0] = new PullLink((frame, node) -> {
            long number = PullFrame.decode(frame).number();
            for (int from : new int[] {SOURCE + 1, SOURCE}) {
                link[0].received(from, new PullFrame(PullFrame.Operation.DATA, number, PullFrame.longs(from)).encode());
            }
        });
        assertThat(link[0].ask(SOURCE, PullFrame.Operation.READ, PullFrame.longs(1), PullFrame.Operation.DATA)
                        .getLong())
                .isEqualTo(SOURCE);
    }

    private static String refusal(PullLink link, int node, long least) throws InterruptedException {
        try {
            link.ask(node, PullFrame.Operation.BEGIN, PullFrame.begin(STRIPE, least), PullFrame.Operation.BEGUN);
            return "";
        } catch (PullException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void framesThatMakeNoSenseAreNamed() {
        assertThatThrownBy(() -> PullFrame.decode(ByteBuffer.wrap(new byte[] {7, 1})))
                .isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> PullFrame.decode(ByteBuffer.allocate(10).put(0, (byte) 7)))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("operation of a pull: 0");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nobodyElseMayReadWhatWasPulled() throws Exception {
        pullSome(30);
        pull(0);
        folder().install(Optional.of(directory.resolve("store.members")));
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            assertThat(files.toList())
                    .hasSizeGreaterThan(2)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .as(file.toString())
                            .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nobodyElseMayReadWhatIsBeingPulled() throws Exception {
        pullSome(30);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("store.pulling"))))
                .isEqualTo("rwx------");
    }
}
