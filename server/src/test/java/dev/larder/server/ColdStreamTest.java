package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.EvictingStorage;
import dev.larder.server.local.LocalKeyspace;
import dev.larder.server.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams whose entries have left the memory. A thread other than the only event loop reads them. */
@Timeout(300)
final class ColdStreamTest {

    private static final int ENTRIES = 2_500;
    private static final int DATABASES = 7;
    private static final String READERS = "larder-read-";
    private static final String VALUE = "x".repeat(1000);

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private final EvictingStorage storage = new EvictingStorage(new HoldingStorage());
    private final Set<String> readers = ConcurrentHashMap.newKeySet();
    private final Set<String> makers = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Hold> hold = new AtomicReference<>(Hold.ended());
    private LarderServer server;
    private TestClient client;

    /** A storage in which the reading threads also wait at each file that they open. */
    private final class HoldingStorage extends DelegatingStorage {

        HoldingStorage() {
            super(SystemStorage.system());
        }

        @Override
        public Optional<StorageFile> open(Path file, boolean writable) {
            if (Thread.currentThread().getName().startsWith(READERS)) {
                hold.get().read();
            }
            return super.open(file, writable);
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            makers.add(Thread.currentThread().getName());
            return super.create(file, access);
        }
    }

    /** A read of the disk that does not end until the test says so. */
    private static final class Hold implements AutoCloseable {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        static Hold ended() {
            Hold hold = new Hold();
            hold.close();
            return hold;
        }

        void read() {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            end.countDown();
        }
    }

    @BeforeEach
    void start() {
        storage.onReading(pages -> {
            readers.add(Thread.currentThread().getName());
            hold.get().read();
        });
        open();
        fill("s");
        client.line("XADD t 1-1 f v");
        client.line("SET k v");
        for (int i = 0; i < 20; i++) {
            client.line("XDEL s " + (i * 100 + 7) + "-1");
        }
        client.line("XGROUP CREATE s g 0");
    }

    private void open() {
        StoreOptions options = StoreOptions.defaults()
                .withSegmentBytes(4 << 20)
                .withStorage(HookedOptions.withStorage(LogOptions.defaults(), storage), storage);
        server = LarderServer.start(
                Configuration.defaults()
                        .with("dir", directory.toString())
                        .with("port", "0")
                        .with("databases", Integer.toString(DATABASES))
                        .with("io-threads", "1"),
                new LocalKeyspace(directory, DATABASES, options, false),
                Map.of());
        client = new TestClient(server.port());
    }

    private void fill(String key) {
        for (int i = 1; i <= ENTRIES; i++) {
            client.send("XADD", key, i + "-1", "n", VALUE);
        }
        for (int i = 1; i <= ENTRIES; i++) {
            assertThat(client.reply()).isEqualTo(i + "-1");
        }
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void assertThatNoLoopHasRead() {
        assertThat(readers).isNotEmpty().allMatch(name -> name.startsWith(READERS) || name.equals("larder-remover"));
    }

    private String cold(String line) {
        storage.evict();
        return client.line(line);
    }

    private static String ids(String reply) {
        return reply.replace(", [n, " + VALUE + "]", "");
    }

    private static final List<String> READS = List.of(
            "XRANGE s - + COUNT 5",
            "XRANGE s 1000 + COUNT 30",
            "XRANGE s 2490 +",
            "XRANGE s - +",
            "XREVRANGE s + - COUNT 20",
            "XREVRANGE s 1300 - COUNT 5",
            "XREVRANGE s + -",
            "XREAD COUNT 3 STREAMS s 1700",
            "XREAD COUNT 3 STREAMS t s 0 2480",
            "XINFO STREAM s",
            "XINFO GROUPS s",
            "XINFO STREAM s FULL COUNT 3",
            "XPENDING s g",
            "XLEN s",
            "DUMP s");

    @Test
    void readsReplyTheSame() {
        List<String> warm = new ArrayList<>();
        READS.forEach(line -> warm.add(client.line(line)));
        assertThat(readers).isEmpty();
        for (int i = 0; i < READS.size(); i++) {
            assertThat(cold(READS.get(i))).as(READS.get(i)).isEqualTo(warm.get(i));
        }
        client.line("XTRIM s MAXLEN 1000");
        String trimmed = client.line("XRANGE s - +");
        assertThat(cold("XRANGE s - +")).isEqualTo(trimmed);
        close();
        open();
        readers.clear(); // this thread has opened the maps
        assertThat(cold("XRANGE s - +")).isEqualTo(trimmed);
        storage.evict();
        READS.forEach(line -> client.send(line.split(" ")));
        READS.forEach(line -> assertThat(client.reply()).as(line).isNotEmpty());
        assertThatNoLoopHasRead();
    }

    /** Less memory than a command needs: after other threads have tried in vain, the loop reads itself. */
    @Test
    void whatDoesNotFitIntoMemoryIsReadInTheEnd() {
        String warm = client.line("XRANGE s - +");
        storage.onReading(pages -> storage.evict());
        assertThat(cold("XRANGE s - +")).isEqualTo(warm);
        assertThat(ids(cold("XREADGROUP GROUP g c COUNT 3 STREAMS s >"))).isEqualTo("[[s, [[1-1], [2-1], [3-1]]]]");
    }

    @Test
    void writesTakeEffectOnce() {
        assertThat(ids(cold("XREADGROUP GROUP g c COUNT 3 STREAMS s >"))).isEqualTo("[[s, [[1-1], [2-1], [3-1]]]]");
        assertThat(ids(cold("XREADGROUP GROUP g c COUNT 3 STREAMS s >"))).isEqualTo("[[s, [[4-1], [5-1], [6-1]]]]");
        assertThat(ids(cold("XREADGROUP GROUP g c COUNT 2 STREAMS s 4-1"))).isEqualTo("[[s, [[5-1], [6-1]]]]");
        assertThat(cold("XPENDING s g")).startsWith("[6, 1-1, 6-1, ");
        assertThat(ids(cold("XCLAIM s g d 0 2-1 5-1"))).isEqualTo("[[2-1], [5-1]]");
        assertThat(ids(cold("XAUTOCLAIM s g e 0 3 COUNT 2"))).isEqualTo("[5-1, [[3-1], [4-1]], []]");
        assertThat(cold("XDEL s 1200-1 1201-1 7-1 9999-1")).isEqualTo("2");
        assertThat(cold("XTRIM s MINID 1500")).isEqualTo("1482"); // 15 of 1499 were deleted before, and two now
        assertThat(cold("XADD s MINID 1600 3000-1 n v")).isEqualTo("3000-1");
        assertThat(ids(cold("XRANGE s - + COUNT 1"))).isEqualTo("[[1600-1]]");
        assertThat(cold("XSETID s 5-5")).startsWith("ERR The ID specified in XSETID is smaller");
        client.line("MULTI");
        client.line("XADD s 3001-1 n v");
        client.line("XRANGE s 2499 2501");
        assertThat(ids(cold("EXEC"))).isEqualTo("[3001-1, [[2499-1], [2500-1]]]");
        assertThat(cold("XLEN s")).isEqualTo("899"); // 901 from 1600 on, of which four were deleted, and two new ones
        assertThatNoLoopHasRead();
    }

    @Test
    void othersAreServedWhileTheDiskIsRead() {
        String warm = ids(client.line("XRANGE s - + COUNT 2000"));
        try (TestClient other = new TestClient(server.port());
                Hold held = holdReading()) {
            client.line("XADD t 2-1 f v");
            storage.evict();
            client.send("XRANGE", "s", "-", "+", "COUNT", "2000");
            awaitReading(held);
            assertThat(other.line("PING")).isEqualTo("PONG");
            assertThat(other.line("GET k")).isEqualTo("v");
            assertThat(other.line("XADD s 3000-1 n v")).isEqualTo("3000-1");
            assertThat(other.line("XLEN s")).isEqualTo(Integer.toString(ENTRIES - 19));
            assertThat(other.line("XADD u 1-1 n v")).isEqualTo("1-1");
            hold.set(Hold.ended());
        }
        assertThat(ids(client.reply())).isEqualTo(warm);
        assertThatNoLoopHasRead();
    }

    private Hold holdReading() {
        Hold held = new Hold();
        hold.set(held);
        return held;
    }

    private static void awaitReading(Hold held) {
        await().until(() -> held.begun.getCount() == 0);
    }

    @Test
    void aStreamIsTrimmedWhileTheDiskIsRead() {
        try (TestClient other = new TestClient(server.port());
                Hold held = holdReading()) {
            storage.evict();
            client.send("XRANGE", "s", "-", "+", "COUNT", "2");
            awaitReading(held);
            assertThat(other.line("XTRIM s MAXLEN 10")).isEqualTo(Integer.toString(ENTRIES - 20 - 10));
            hold.set(Hold.ended());
        }
        assertThat(ids(client.reply())).isEqualTo("[[2491-1], [2492-1]]");
        assertThatNoLoopHasRead();
    }

    @Test
    void aStreamIsDeletedAndMadeAgainWhileTheDiskIsRead() {
        try (TestClient other = new TestClient(server.port());
                Hold held = holdReading()) {
            storage.evict();
            client.send("XRANGE", "s", "-", "+");
            awaitReading(held);
            assertThat(other.line("DEL s")).isEqualTo("1");
            assertThat(other.line("XADD s 7-7 n v")).isEqualTo("7-7");
            hold.set(Hold.ended());
        }
        assertThat(client.reply()).isEqualTo("[[7-7, [n, v]]]");
        assertThatNoLoopHasRead();
    }

    private void restart() {
        close();
        open();
        storage.evict();
        readers.clear(); // this thread has opened the maps
    }

    @Test
    void anotherThreadOpensTheQueueOfAWatchedStream() {
        restart();
        assertThat(client.line("WATCH s k none t")).isEqualTo("OK");
        client.line("MULTI");
        client.line("XLEN t");
        assertThat(cold("EXEC")).isEqualTo("[1]");
        assertThat(client.line("WATCH s")).isEqualTo("OK");
        try (TestClient other = new TestClient(server.port())) {
            other.line("XADD s 3000-1 n v");
        }
        client.line("MULTI");
        client.line("XLEN t");
        assertThat(client.line("EXEC")).isEqualTo("nil");
        assertThatNoLoopHasRead();
    }

    @Test
    void aStreamIsRemovedWhileAnotherThreadOpensItsQueue() {
        List<String> streams = List.of("a", "b", "c", "d", "e");
        streams.forEach(key -> client.line("XADD " + key + " 1-1 n v"));
        restart();
        List<TestClient> waiting = new ArrayList<>();
        try (Hold held = holdReading()) {
            for (String key : streams) {
                TestClient one = new TestClient(server.port());
                waiting.add(one);
                one.send("XLEN", key);
            }
            awaitReading(held);
            assertThat(client.line("DEL a")).isEqualTo("1");
            assertThat(client.line("UNLINK b")).isEqualTo("1");
            assertThat(client.line("RENAME t c")).isEqualTo("OK");
            assertThat(client.line("SET d v")).isEqualTo("OK");
            assertThat(client.line("PEXPIRE e 0")).isEqualTo("1");
            hold.set(Hold.ended());
        }
        List<String> replies = new ArrayList<>();
        waiting.forEach(one -> {
            replies.add(one.reply());
            one.close();
        });
        assertThat(replies)
                .containsExactly(
                        "0", "0", "1", "WRONGTYPE Operation against a key holding the wrong kind of value", "0");
    }

    private static final List<String> LOOKS =
            List.of("XRANGE * - +", "XINFO GROUPS *", "XPENDING * g", "XPENDING * g - + 1000", "XLEN *");

    private List<String> looks(String key) {
        return LOOKS.stream()
                .map(line -> ids(client.line(line.replace("*", key))).replaceAll(", [0-9]+, 1]", "]")) // no idle times
                .toList();
    }

    @Test
    void anotherThreadCopiesMovesAndRestoresStreams() {
        client.line("XREADGROUP GROUP g c COUNT 300 STREAMS s >");
        client.line("XTRIM s MAXLEN 2400");
        List<String> warm = looks("s");
        String dump = client.line("DUMP s");
        makers.clear();
        assertThat(cold("COPY s copy")).isEqualTo("1");
        assertThat(looks("copy")).isEqualTo(warm);
        assertThat(cold("COPY s t")).isEqualTo("0");
        assertThat(cold("COPY s t REPLACE")).isEqualTo("1");
        assertThat(cold("MOVE copy 1")).isEqualTo("1");
        assertThat(cold("EXISTS copy")).isEqualTo("0");
        client.line("SELECT 1");
        assertThat(looks("copy")).isEqualTo(warm);
        client.line("SELECT 0");
        assertThat(client.call("RESTORE", "back", "0", dump)).isEqualTo("OK");
        assertThat(ids(client.line("XRANGE back - +"))).isEqualTo(warm.getFirst());
        assertThat(client.call("RESTORE", "back", "0", dump)).startsWith("BUSYKEY");
        assertThat(client.call("RESTORE", "k", "0", dump, "REPLACE")).isEqualTo("OK");
        assertThat(client.call("RESTORE", "bad", "0", dump.substring(0, dump.length() - 1)))
                .isEqualTo("ERR DUMP payload version or checksum are wrong");
        assertThat(client.line("TYPE k")).isEqualTo("stream");
        assertThatNoLoopHasRead();
        assertThat(makers).isNotEmpty().noneMatch(name -> name.contains("Loop"));
    }

    @Test
    void anotherThreadMakesDatabasesAndMapsOfStreams() {
        makers.clear();
        client.line("SELECT 1");
        assertThat(client.line("GET k")).isEqualTo("nil");
        assertThat(client.line("XADD s 1-1 n v")).isEqualTo("1-1");
        client.line("SELECT 2");
        assertThat(client.line("WATCH k")).isEqualTo("OK");
        client.line("MULTI");
        client.line("SET k v");
        client.line("SELECT 3");
        client.line("XGROUP CREATE s g 0 MKSTREAM");
        for (int i = 0; i < 6; i++) {
            client.line("XADD s" + i + " 1-1 n v");
        }
        client.line("SELECT 99");
        client.line("DBSIZE");
        assertThat(client.line("EXEC"))
                .isEqualTo("[OK, OK, OK, 1-1, 1-1, 1-1, 1-1, 1-1, 1-1, ERR DB index is out of range, 7]");
        assertThat(client.line("SELECT 0")).isEqualTo("OK");
        assertThat(client.line("COPY k k DB 4")).isEqualTo("1");
        assertThat(client.line("MOVE k 5")).isEqualTo("1");
        assertThat(client.line("MOVE k 99")).isEqualTo("ERR DB index is out of range");
        assertThat(client.line("SWAPDB 4 6")).isEqualTo("OK");
        assertThat(makers).isNotEmpty().noneMatch(name -> name.contains("Loop"));
    }

    /** Commands that change records about streams, each followed by the beginning of its reply. */
    private static final List<String> CHANGES = List.of(
            "XACK s g 1601-1 1602-1",
            "2",
            "XCLAIM s g c 0 1603-1 1604-1 JUSTID",
            "[1603-1, 1604-1]",
            "XAUTOCLAIM s g c 0 1700 COUNT 2 JUSTID",
            "[1702-1, [1700-1, 1701-1]",
            "XREADGROUP GROUP g c COUNT 2 STREAMS s 1800",
            "[[s, [[1800-1, ",
            "XREADGROUP GROUP g c COUNT 2 STREAMS s >",
            "[[s, [[21",
            "XGROUP SETID s g 2300-1",
            "OK",
            "XGROUP DELCONSUMER s g d",
            "1",
            "XGROUP DESTROY s h",
            "1",
            "XDEL s 2410-1",
            "1",
            "XTRIM s MAXLEN 1200",
            "1279",
            "XADD s MAXLEN 1200 9000-1 n v",
            "9000-1",
            "XSETID t 9999-1",
            "OK",
            "XADD p IDMP shop 1 * n v",
            "",
            "XADD p IDMP shop 3 * n v",
            "",
            "XCFGSET p IDMP-MAXSIZE 3",
            "OK");

    @Test
    void anotherThreadReadsTheRecordsThatACommandChanges() {
        client.line("XGROUP CREATE s h 0");
        client.line("XREADGROUP GROUP h c COUNT 20 STREAMS s >");
        client.line("XREADGROUP GROUP g c COUNT 2100 STREAMS s >");
        client.line("XCLAIM s g d 0 1900-1");
        client.line("XADD p 1-1 n v");
        client.line("XCFGSET p IDMP-MAXSIZE 2");
        client.line("XADD p IDMP shop 1 * n v");
        client.line("XADD p IDMP shop 2 * n v");
        acknowledgeCold(1, 1500); // the loop meets the first that is missing, and knows from then on
        readers.clear();
        for (int i = 0; i < CHANGES.size(); i += 2) {
            storage.evictAll();
            assertThat(client.line(CHANGES.get(i))).as(CHANGES.get(i)).startsWith(CHANGES.get(i + 1));
            assertThatNoLoopHasRead();
        }
    }

    private void acknowledgeCold(int from, int to) {
        storage.evictAll();
        List<String> line = new ArrayList<>(List.of("XACK", "s", "g"));
        for (int i = from; i <= to; i++) {
            line.add(i + "-1");
        }
        assertThat(client.call(line.toArray(String[]::new))).isNotEqualTo("0");
    }

    @Test
    void othersAreServedWhileTheRecordsOfATransactionAreRead() {
        client.line("XREADGROUP GROUP g c COUNT 2100 STREAMS s >");
        acknowledgeCold(1, 1500);
        readers.clear();
        try (TestClient other = new TestClient(server.port());
                Hold held = holdReading()) {
            client.line("MULTI");
            client.line("XACK s g 1601-1 1602-1");
            client.line("XGROUP DESTROY s g");
            storage.evictAll();
            client.send("EXEC");
            awaitReading(held);
            assertThat(other.line("PING")).isEqualTo("PONG");
            assertThat(other.line("SET other v")).isEqualTo("OK");
            hold.set(Hold.ended());
        }
        assertThat(client.reply()).isEqualTo("[2, 1]");
        assertThatNoLoopHasRead();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "XADD s 3000-1 n v",
                "XTRIM s MAXLEN 1000",
                "XTRIM s MAXLEN 0",
                "XDEL s 2490-1",
                "XACK s g 5-1 6-1",
                "XREADGROUP GROUP g d COUNT 5 STREAMS s >",
                "XREADGROUP GROUP g d COUNT 99 STREAMS s >"
            })
    void aStreamChangesWhileItIsCopied(String change) {
        client.line("XREADGROUP GROUP g c COUNT 200 STREAMS s >");
        client.line("XGROUP SETID s g 2400-1");
        storage.evict();
        client.line("XRANGE s 2380 +"); // the change finds in memory what it needs
        client.line("XDEL s 2489-1");
        try (TestClient other = new TestClient(server.port());
                Hold held = holdReading()) {
            client.send("COPY", "s", "copy");
            awaitReading(held);
            assertThat(other.line(change)).doesNotStartWith("ERR");
            assertThat(other.line("EXISTS copy")).isEqualTo("0");
            hold.set(Hold.ended());
        }
        assertThat(client.reply()).isEqualTo("1");
        List<String> source = looks("s");
        assertThat(looks("copy")).isEqualTo(source);
        assertThatNoLoopHasRead();
    }

    @Test
    void aCopyWhoseClientIsKilledIsRemoved() throws IOException {
        Set<Path> before = streamFolders();
        try (Hold held = holdReading();
                TestClient other = new TestClient(server.port())) {
            storage.evict();
            other.send("COPY", "s", "copy");
            awaitReading(held);
            assertThat(client.line("CLIENT KILL TYPE normal")).isEqualTo("1");
            assertThat(other.reply()).isEqualTo("closed");
            await().until(() -> client.line("CLIENT LIST").lines().count() == 1);
            hold.set(Hold.ended());
        }
        await().until(() -> !streamFolders().containsAll(before)); // it was one of those that are made ahead
        assertThat(client.line("EXISTS copy")).isEqualTo("0");
    }

    private Set<Path> streamFolders() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.toString().matches(".*[/\\\\]streams[/\\\\][0-9]+"))
                    .collect(Collectors.toSet());
        }
    }
}
