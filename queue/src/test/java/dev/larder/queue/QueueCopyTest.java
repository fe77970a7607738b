package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.TypedValue;
import dev.larder.log.Bookmark;
import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.WaitStrategy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.MessageSink;
import dev.larder.tests.support.GoldenFile;
import dev.larder.tests.support.OtherThread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages go from one queue to another, each once. */
@Timeout(120)
final class QueueCopyTest {

    @TempDir
    Path directory;

    record Named(String name) {}

    record Other(int number) {}

    private LarderQueue source() {
        return TestQueues.open(directory.resolve("source"));
    }

    private Path target() {
        return directory.resolve("target");
    }

    private static void fill(LarderQueue queue) {
        queue.appender().append("one");
        queue.appender(Codec.records(Named.class)).append(new Named("two"));
        queue.appender().append("");
    }

    private long copy(LarderQueue queue) {
        return QueueCopy.copy(queue, target(), TestQueues.options(), false, () -> true);
    }

    @Test
    void copiesEachMessageOnceHoweverOftenItIsCalled() {
        try (LarderQueue queue = source()) {
            assertThat(copy(queue)).isZero();
            fill(queue);
            assertThat(copy(queue)).isEqualTo(3);
            assertThat(copy(queue)).isZero();
            queue.appender().append("three");
            assertThat(copy(queue)).isEqualTo(1);
            try (LarderQueue copy = TestQueues.open(target())) {
                assertThat(TestQueues.texts(copy))
                        .isEqualTo(TestQueues.texts(queue))
                        .hasSize(4);
                assertThat(copy.schemas()).isEqualTo(queue.schemas());
                assertThat(copy.typed(copy.tailer(), Codec.records(Named.class))
                                .toStart()
                                .skip())
                        .isTrue();
            }
        }
    }

    @Test
    void refusesATargetThatIsNoCopyOfTheSource() {
        try (LarderQueue queue = source();
                LarderQueue other = TestQueues.open(directory.resolve("other"))) {
            fill(queue);
            copy(queue);
            assertThatThrownBy(() -> copy(other))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContainingAll(target().toString(), "is a copy of queue");
            Path own = directory.resolve("own");
            try (LarderQueue full = TestQueues.open(own)) {
                full.appender().append("mine");
            }
            assertThatThrownBy(() -> QueueCopy.copy(queue, own, TestQueues.options(), false, () -> true))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining("messages of its own");
        }
    }

    @Test
    void noticesThatSomebodyElseHasAppended() {
        try (LarderQueue queue = source()) {
            fill(queue);
            copy(queue);
            try (LarderQueue copy = TestQueues.open(target())) {
                copy.appender().append("a stranger's");
            }
            queue.appender().append("four");
            assertThatThrownBy(() -> copy(queue))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll("differs from the source's message", target().toString());
        }
    }

    @Test
    void copiesOverAConnection() throws IOException {
        try (LarderQueue queue = source()) {
            fill(queue);
            try (QueueServer server = QueueServer.start(queue, loopback(0))) {
                assertThat(receive(server.port())).isEqualTo(3);
                queue.appender().append("four");
                assertThat(receive(server.port())).isEqualTo(1);
                try (LarderQueue copy = TestQueues.open(target())) {
                    assertThat(TestQueues.texts(copy))
                            .isEqualTo(TestQueues.texts(queue))
                            .hasSize(4);
                }
            }
            try (LarderQueue other = TestQueues.open(directory.resolve("other"));
                    QueueServer server = QueueServer.start(other, loopback(0))) {
                assertThatThrownBy(() -> receive(server.port()))
                        .isInstanceOf(LarderException.class)
                        .hasMessageContainingAll("refuses", "this is queue");
            }
        }
    }

    private static LogOptions options() {
        return TestQueues.options();
    }

    /** Messages that a power loss could take from the source are not in the copy. */
    @Test
    void copiesWhatIsDurableOnlyWhereThatIsWished() throws IOException {
        try (LarderQueue queue = source();
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            fill(queue);
            queue.sync();
            queue.appender().append("not durable");
            assertThat(QueueCopy.copy(queue, target(), options(), CopyScope.DURABLE, false, () -> true))
                    .isEqualTo(3);
            Path other = directory.resolve("other");
            assertThat(QueueCopy.copy(plain(server.port()), other, options(), CopyScope.DURABLE, false, () -> true))
                    .isEqualTo(3);
            queue.sync();
            assertThat(QueueCopy.copy(queue, target(), options(), CopyScope.DURABLE, false, () -> true))
                    .isOne();
            queue.appender().append("not durable either");
            assertThat(QueueCopy.copy(plain(server.port()), other, options(), CopyScope.DURABLE, false, () -> true))
                    .isOne();
            assertThat(copy(queue)).isOne();
        }
    }

    /** The test waits for each step: the copy follows the flush, not the append. */
    @Test
    void followsWhatBecomesDurable() throws Exception {
        AtomicBoolean wanted = new AtomicBoolean(true);
        try (LarderQueue queue = source()) {
            queue.appender().append("one");
            CompletableFuture<Long> copying = OtherThread.call(
                    () -> QueueCopy.copy(queue, target(), options(), CopyScope.DURABLE, true, wanted::get));
            queue.sync();
            try (LarderQueue copy = opened(target());
                    Tailer tailer = copy.tailer()) {
                await(tailer, "one");
                queue.appender().append("two");
                queue.appender().append("three");
                queue.sync();
                await(tailer, "two", "three");
            }
            wanted.set(false);
            assertThat(copying.get(60, TimeUnit.SECONDS)).isEqualTo(3);
        }
    }

    /** Opens the copy once its directory is there, which the copying thread makes. */
    private static LarderQueue opened(Path copy) {
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(copy.resolve("copy.place")));
        return TestQueues.open(copy);
    }

    private static void await(Tailer tailer, String... expected) {
        List<String> seen = new ArrayList<>();
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> {
            seen.addAll(TestQueues.texts(tailer));
            return seen.size() >= expected.length;
        });
        assertThat(seen).containsExactly(expected);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static RemoteQueue plain(int port) {
        return new RemoteQueue(loopback(port), ConnectionSecurity.none());
    }

    private long receive(int port) throws IOException {
        return QueueCopy.copy(loopback(port), target(), TestQueues.options(), false, () -> true);
    }

    private static byte[] exported(LarderQueue queue) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        QueueCopy.write(queue, queue.tailer(), out);
        return out.toByteArray();
    }

    @Test
    void readsAStreamIntoAQueueWithSchemasOfItsOwn() throws IOException {
        try (LarderQueue queue = source();
                LarderQueue other = TestQueues.open(target())) {
            fill(queue);
            other.appender(Codec.records(Other.class)).append(new Other(1));
            assertThat(QueueCopy.read(new ByteArrayInputStream(exported(queue)), "stream", other))
                    .isEqualTo(3);
            TypedTailer<Named> tailer = other.tailer(Codec.records(Named.class));
            assertThat(tailer.skip()).isTrue();
            assertThat(tailer.skip()).isTrue();
            assertThat(tailer.next()).contains(new Named("two"));
        }
    }

    @Test
    void noticesEveryDamagedByteOfAStream() throws IOException {
        try (LarderQueue queue = source()) {
            fill(queue);
            byte[] sound = exported(queue);
            for (int at = 0; at < sound.length; at++) {
                byte[] damaged = sound.clone();
                damaged[at] ^= 1;
                try (LarderQueue other = TestQueues.open(directory.resolve("damaged"))) {
                    assertThatThrownBy(() -> QueueCopy.read(new ByteArrayInputStream(damaged), "stream", other))
                            .as("byte %d of %d", at, sound.length)
                            .isInstanceOfAny(CorruptException.class, TruncatedException.class, IOException.class);
                }
            }
            for (int length : List.of(0, 10, sound.length - 1, sound.length - 20)) {
                try (LarderQueue other = TestQueues.open(directory.resolve("cut"))) {
                    assertThatThrownBy(() -> QueueCopy.read(
                                    new ByteArrayInputStream(Arrays.copyOf(sound, length)), "stream", other))
                            .isInstanceOfAny(TruncatedException.class, IOException.class);
                }
            }
        }
    }

    private static byte[] stream(LarderQueue source, Frame... frames) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SourceDescription.of(source.info(), SourceDescription.UNKNOWN).frame().write(out);
        for (Frame frame : frames) {
            frame.write(out);
        }
        new Frame(Frame.Kind.IDLE, 0).write(out);
        return out.toByteArray();
    }

    private static Frame schema(long number, String text) {
        return Frame.text(Frame.Kind.SCHEMA, number, text);
    }

    private static final String INTEGERS = "record Integers\n number int\n";

    @ParameterizedTest
    @ValueSource(longs = {0, -5, 1L << 24, 99_999_999, 1L << 40, Long.MIN_VALUE})
    void refusesAStreamWithASchemaWhoseNumberNoMessageCanName(long number) throws IOException {
        try (LarderQueue queue = source()) {
            byte[] stream = stream(queue, schema(number, INTEGERS));
            assertThatThrownBy(() -> QueueCopy.read(new ByteArrayInputStream(stream), "stream", queue))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll("stream: ", String.valueOf(number));
            assertThat(queue.schemas()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "record", "record A\n number", "record A\n number integer\n", " number int\n"})
    void refusesAStreamWithATextThatIsNoSchema(String text) throws IOException {
        try (LarderQueue queue = source()) {
            byte[] stream = stream(queue, schema(1, text));
            assertThatThrownBy(() -> QueueCopy.read(new ByteArrayInputStream(stream), "stream", queue))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("stream: cannot parse schema 1");
            assertThat(queue.schemas()).isEmpty();
        }
    }

    /** Once, the largest number was stored as it came: the queue then had none left for any new schema, for ever. */
    @Test
    void aStreamUsesTheNumbersOfSchemasNotUp() throws IOException {
        try (LarderQueue queue = source();
                TypedTailer<TypedValue> tailer = queue.tailer(Codec.values())) {
            byte[] message = {(byte) 0xfd, -1, -1, -1, 7, 0, 0, 0};
            byte[] stream = stream(queue, schema(0xffffff, INTEGERS), new Frame(Frame.Kind.MESSAGE, 0, message));
            assertThat(QueueCopy.read(new ByteArrayInputStream(stream), "stream", queue))
                    .isEqualTo(1);
            queue.appender(Codec.records(Named.class)).append(new Named("new"));
            assertThat(queue.schemas()).containsOnlyKeys(1, 2).containsEntry(1, new Schema(INTEGERS));
            assertThat(tailer.stream())
                    .containsExactly(
                            new TypedValue(new Schema(INTEGERS), Map.of("number", 7)),
                            new TypedValue(new Schema("record Named\n name text\n"), Map.of("name", "new")));
        }
    }

    /** Numbers that a queue may have by itself stay: so do gaps, as a stream has the schemas of its messages alone. */
    @Test
    void aStreamKeepsNumbersThatAreFree() throws IOException {
        try (LarderQueue queue = source()) {
            byte[] stream = stream(queue, schema(900, INTEGERS), schema(3, "record Other\n number int\n"));
            assertThat(QueueCopy.read(new ByteArrayInputStream(stream), "stream", queue))
                    .isZero();
            assertThat(queue.schemas()).containsOnlyKeys(3, 900);
        }
    }

    /** A repair copies messages as they are, so each schema keeps its number, whatever that is. */
    @Test
    void aRepairKeepsTheNumbersOfSchemas() {
        Path repaired = directory.resolve("repaired");
        try (LarderQueue queue = source()) {
            queue.schemaFiles().add(5_000_000, new Schema(INTEGERS));
            queue.append(new byte[] {(byte) 0xfd, 0x40, 0x4b, 0x4c, 7, 0, 0, 0});
        }
        RepairReport report = QueueRepair.repair(directory.resolve("source"), repaired, TestQueues.options());
        assertThat(report.problems()).isEmpty();
        assertThat(report.schemas()).isEqualTo(1);
        try (LarderQueue queue = TestQueues.open(repaired);
                TypedTailer<TypedValue> tailer = queue.tailer(Codec.values())) {
            assertThat(tailer.stream()).containsExactly(new TypedValue(new Schema(INTEGERS), Map.of("number", 7)));
        }
    }

    @Test
    void repairsIntoANewQueue() {
        try (LarderQueue queue = source()) {
            fill(queue);
            queue.sync();
        }
        RepairReport report = QueueRepair.repair(directory.resolve("source"), target(), TestQueues.options());
        assertThat(report.isSound()).isTrue();
        assertThat(report.messages()).isEqualTo(3);
        assertThat(report.schemas()).isEqualTo(1);
        try (LarderQueue repaired = TestQueues.open(target())) {
            TypedTailer<Named> tailer = repaired.tailer(Codec.records(Named.class));
            assertThat(tailer.skip()).isTrue();
            assertThat(tailer.next()).contains(new Named("two"));
        }
        assertThatThrownBy(() -> QueueRepair.repair(directory.resolve("source"), target(), TestQueues.options()))
                .isInstanceOf(LarderException.class)
                .hasMessageContaining("is not empty");
    }

    /** Where locks belong to the process, opening the file a second time and closing it would drop the lock. */
    @Test
    void asksForThePlaceOfACopyOnceInAProcess() {
        FaultyStorage storage =
                new FaultyStorage(HookedOptions.of(TestQueues.options()).storage());
        CopyPlace.create(directory, UUID.randomUUID(), TestQueues.options());
        try (CopyPlace place = CopyPlace.open(directory, storage).orElseThrow()) {
            assertThatThrownBy(() -> CopyPlace.open(directory, storage))
                    .isInstanceOf(LarderException.class)
                    .hasMessage(place + ": this process copies into this queue already");
            assertThat(storage.count(StorageCall.OPEN)).isOne();
        }
        CopyPlace.open(directory, storage).orElseThrow().close();
    }

    /** A copy that stops after a thousand messages stands for a killed one: nothing is stored at its end. */
    private static BooleanSupplier dyingAfterTheFirstMessages() {
        AtomicInteger asked = new AtomicInteger();
        return () -> {
            if (asked.getAndIncrement() == 1) {
                throw new IllegalStateException("killed");
            }
            return true;
        };
    }

    private static void fill(LarderQueue queue, int from, int to, boolean allEqual) {
        for (int number = from; number < to; number++) {
            queue.append(String.format(Locale.ROOT, "%01000d", allEqual ? 0 : number));
        }
    }

    private static LogOptions keepingLittle() {
        return options().withRetention(retention -> retention.withBytes(128 << 10));
    }

    private static void awaitDropped(LarderQueue queue) {
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> queue.info().firstPosition() >= 1L << 32);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void continuesACopyThatHasDroppedMostOfItsMessages(boolean allEqual) {
        try (LarderQueue queue = source()) {
            fill(queue, 0, 1500, allEqual);
            assertThatThrownBy(
                            () -> QueueCopy.copy(queue, target(), keepingLittle(), false, dyingAfterTheFirstMessages()))
                    .hasMessage("killed");
            assertThat(QueueCopy.copy(queue, target(), keepingLittle(), false, () -> true))
                    .isEqualTo(500);
            try (LarderQueue copy = LarderQueue.open(target(), keepingLittle());
                    Tailer tailer = copy.tailer()) {
                long dropped = tailer.sequence();
                assertThat(dropped).isGreaterThan(1000);
                assertThat(TestQueues.texts(tailer))
                        .isEqualTo(TestQueues.texts(queue).subList((int) dropped, 1500));
            }
        }
    }

    @Test
    void continuesACopyOfASourceThatHasDroppedWhatWasCopied() {
        try (LarderQueue queue = LarderQueue.open(directory.resolve("source"), keepingLittle())) {
            fill(queue, 0, 100, false);
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), options(), false, dyingAfterTheFirstMessages()))
                    .hasMessage("killed");
            fill(queue, 100, 150, false);
            awaitDropped(queue);
            assertThat(QueueCopy.copy(queue, target(), options(), false, () -> true))
                    .isEqualTo(50);
        }
    }

    @Test
    void noticesThatSomebodyElseHasAppendedAlsoIfTheMessageOfThePlaceWasDropped() {
        try (LarderQueue queue = source()) {
            fill(queue, 0, 10, true);
            QueueCopy.copy(queue, target(), keepingLittle(), false, () -> true);
            try (LarderQueue copy = LarderQueue.open(target(), keepingLittle())) {
                fill(copy, 10, 500, true);
                awaitDropped(copy);
            }
            fill(queue, 10, 600, false);
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), keepingLittle(), false, () -> true))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContainingAll("differs from the source's message", target().toString());
        }
    }

    @Test
    void refusesACopyThatHasLostItsMessages() throws IOException {
        try (LarderQueue queue = source()) {
            fill(queue);
            copy(queue);
            byte[] place = Files.readAllBytes(target().resolve("copy.place"));
            Path other = Files.createDirectory(directory.resolve("other"));
            Files.write(other.resolve("copy.place"), place);
            assertThatThrownBy(() -> QueueCopy.copy(queue, other, TestQueues.options(), false, () -> true))
                    .isInstanceOf(CorruptException.class)
                    .hasMessage(other + ": has had 0 messages, and the place of the copy names message 2: copy into a"
                            + " new directory");
        }
    }

    @Test
    void refusesACopyThatHasLostItsPlace() throws IOException {
        try (LarderQueue queue = source()) {
            fill(queue);
            Files.createDirectory(target());
            CopyPlace.create(target(), queue.identity(), TestQueues.options());
            byte[] place = Files.readAllBytes(target().resolve("copy.place"));
            copy(queue);
            Files.write(target().resolve("copy.place"), place);
            assertThatThrownBy(() -> copy(queue))
                    .isInstanceOf(CorruptException.class)
                    .hasMessage(target() + ": has had 3 messages, and the place of the copy names none: copy into a new"
                            + " directory");
        }
    }

    /** The copy had no message yet, so it begins at whichever message is the oldest. */
    @Test
    void beginsACopyThatHasNoMessageAtTheOldestMessage() {
        try (LarderQueue queue = LarderQueue.open(directory.resolve("source"), keepingLittle())) {
            assertThat(copy(queue)).isZero();
            fill(queue, 0, 500, false);
            awaitDropped(queue);
            try (Tailer tailer = queue.tailer()) {
                assertThat(copy(queue)).isEqualTo(500 - tailer.sequence());
            }
        }
    }

    @Test
    void refusesAPlaceOfVersion1() throws IOException {
        Path directory = Path.of("../formats/queue/v1/good").toAbsolutePath().normalize();
        GoldenFile.restore(directory, target());
        assertThatThrownBy(() -> CopyPlace.open(
                        target(), HookedOptions.of(TestQueues.options()).storage()))
                .isInstanceOf(LarderException.class)
                .hasMessage(target().resolve("copy.place") + ": is of version 1, which has no sequences; this release"
                        + " needs version 2: copy into a new directory");
    }

    @Test
    void refusesOptionsThatTheSourceDoesNotHaveBeforeItMakesAnything() {
        LogOptions record = options().withIntegrity(IntegrityMode.RECORD);
        LogOptions larger = options().withLargestSegmentBytes(4 << 20);
        try (LarderQueue queue =
                LarderQueue.open(directory.resolve("source"), options().withIntegrity(IntegrityMode.SEAL))) {
            fill(queue);
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), record, false, () -> true))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessage(target() + ": a new copy takes the integrity of its source, SEAL; asked for RECORD");
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), larger, false, () -> true))
                    .hasMessage(target() + ": a new copy takes the largest segment of its source, 2097152 bytes; asked"
                            + " for 4194304");
            assertThat(target()).doesNotExist();
            assertThat(copy(queue)).isEqualTo(3);
        }
    }

    @Test
    void refusesAnEmptyTargetThatTheLongestMessagesOfTheSourceDoNotFitInto() {
        LogOptions larger = options().withLargestSegmentBytes(4 << 20);
        LogOptions silent = TestQueues.defaults().withPrepareBytes(0).withSync(SyncPolicy.none());
        LarderQueue.open(target(), options()).close();
        try (LarderQueue queue = LarderQueue.open(directory.resolve("source"), larger)) {
            fill(queue);
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), silent, false, () -> true))
                    .isInstanceOf(LogMismatchException.class)
                    .hasMessage(
                            target() + ": the empty queue here has a largest segment of 2097152 bytes, and the source"
                                    + " one of 4194304 bytes, so longer messages; name another directory");
            assertThat(target().resolve("copy.place")).doesNotExist();
        }
    }

    /** When two processes begin a copy at the same time, the second must not replace the file that the first has locked. */
    @Test
    void leavesThePlaceOfACopyThatOthersHaveJustBegun() {
        Storage storage = HookedOptions.of(TestQueues.options()).storage();
        UUID first = UUID.randomUUID();
        CopyPlace.create(directory, first, TestQueues.options());
        try (CopyPlace place = CopyPlace.open(directory, storage).orElseThrow()) {
            place.set(8, 5, 2);
            CopyPlace.create(directory, UUID.randomUUID(), TestQueues.options());
        }
        try (CopyPlace place = CopyPlace.open(directory, storage).orElseThrow()) {
            assertThat(place.identity()).isEqualTo(first);
            assertThat(place.place().targetSequence()).isEqualTo(2);
        }
        assertThat(storage.list(directory)).containsExactly("copy.place");
    }

    @Test
    void removesWhatACopyThatWasKilledAtItsBeginningHasLeft() throws IOException {
        Storage storage = HookedOptions.of(TestQueues.options()).storage();
        Files.createFile(directory.resolve("copy.place-17.tmp"));
        Files.createFile(directory.resolve("copy.place.tmp"));
        CopyPlace.create(directory, UUID.randomUUID(), TestQueues.options());
        CopyPlace.open(directory, storage).orElseThrow().close();
        assertThat(storage.list(directory)).containsExactly("copy.place");
    }

    @Test
    void goesOnToServeWhenThereWasNoThreadForAConnection() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        ThreadFactory threads = work -> {
            if (asked.getAndIncrement() == 1) { // the first accepts connections
                throw new OutOfMemoryError("unable to create native thread");
            }
            return Thread.ofPlatform().daemon().unstarted(work);
        };
        try (LarderQueue queue = source();
                QueueServer server = QueueServer.start(queue, loopback(0), ConnectionSecurity.none(), threads)) {
            fill(queue);
            try (Socket refused = new Socket(loopback(0).getAddress(), server.port())) {
                assertThat(refused.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(receive(server.port())).isEqualTo(3);
        }
    }

    @Test
    void aServerThatHasNoThreadLeavesItsPortFree() throws IOException {
        ThreadFactory none = work -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        try (LarderQueue queue = source()) {
            int port = freePort();
            assertThatThrownBy(() -> QueueServer.start(queue, loopback(port), ConnectionSecurity.none(), none))
                    .isInstanceOf(OutOfMemoryError.class);
            try (QueueServer server = QueueServer.start(queue, loopback(port))) {
                assertThat(server.port()).isEqualTo(port);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(loopback(0));
            return socket.getLocalPort();
        }
    }

    /** Bytes may look like a message of a schema that the queue gets later. */
    @Test
    void sendsASchemaThatComesAfterAMessageThatSeemsToBeOfIt() throws IOException {
        List<Integer> schemas = new ArrayList<>();
        try (LarderQueue queue = source();
                Tailer tailer = queue.tailer()) {
            queue.appender().append(new byte[] {(byte) 0xfd, 1, 0, 0});
            MessageSink sink = new MessageSink() {
                @Override
                public void schema(int number, Schema schema) {
                    schemas.add(number);
                }

                @Override
                public void message(long position, byte[] bytes) {}

                @Override
                public void idle() {}
            };
            MessagePump pump = MessagePump.of(queue, tailer, CopyScope.COMMITTED, sink);
            pump.run(false, () -> true);
            assertThat(schemas).isEmpty();
            queue.appender(Codec.records(Named.class)).append(new Named("two"));
            queue.appender(Codec.records(Named.class)).append(new Named("three"));
            pump.run(false, () -> true);
            assertThat(schemas).containsExactly(1);
        }
    }

    /** A tailer with a wait strategy of its own holds the strategy as long as it is open. */
    @Test
    void aTailerThatCannotBeOpenedLeavesNothingOpen() {
        try (LarderQueue queue = source()) {
            long position = queue.appender().append("one");
            try (Tailer tailer = queue.tailer("name", Commit.EXPLICIT)) {
                tailer.commit();
            }
            try (Log log = Log.open(directory.resolve("source"), TestQueues.options());
                    Bookmark bookmark = log.bookmark("name")) {
                bookmark.move(position + 8);
            }
            WeakReference<WaitStrategy> strategy = failToOpen(queue);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
                System.gc();
                return strategy.refersTo(null);
            });
        }
    }

    private static WeakReference<WaitStrategy> failToOpen(LarderQueue queue) {
        WaitStrategy strategy = WaitStrategy.parking(Duration.ofMillis(3));
        assertThatThrownBy(() -> queue.tailer("name", Commit.WHEN_HANDLED, strategy))
                .isInstanceOfAny(CorruptException.class, IllegalArgumentException.class);
        return new WeakReference<>(strategy);
    }

    /** The target stayed open for the life of the JVM: every later opening with other options was refused. */
    @Test
    void leavesNothingOpenWhereTheTargetCannotBeAppendedTo() {
        try (LarderQueue queue = source()) {
            fill(queue);
            copy(queue);
            LogOptions readOnly = TestQueues.options().withReadOnly(true);
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), readOnly, false, () -> true))
                    .isInstanceOf(ReadOnlyException.class);
            queue.appender().append("three");
            assertThat(copy(queue)).isEqualTo(1);
        }
    }
}
