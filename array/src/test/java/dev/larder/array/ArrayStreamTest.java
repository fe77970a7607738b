package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeContent;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.BufferedReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of an array as their clients see them. */
final class ArrayStreamTest {

    private static final Pattern NUMBER = Pattern.compile("\\[n, (\\d+)]");

    /** A key whose stripe no other test uses. A process reads the only stream of that stripe's store. */
    private static final String ALONE = IntStream.range(0, 1000)
            .mapToObj(number -> "alone" + number)
            .filter(key -> TestArray.stripe(key) != TestArray.stripe("s"))
            .findFirst()
            .orElseThrow();

    @TempDir
    static Path directory;

    private static TestArray array;

    @BeforeAll
    static void start() {
        array = new TestArray(directory);
    }

    /** Restores the array: a test may have stopped a node. */
    @BeforeEach
    void restore() {
        array.restore();
    }

    /** After all tests, the content is the same on all nodes. */
    @AfterAll
    static void requireEqualNodes() {
        try {
            array.restore();
        } finally {
            array.close();
        }
        List<Map<String, String>> first = content(0);
        assertThat(first).anySatisfy(stripe -> assertThat(stripe).isNotEmpty());
        assertThat(content(1)).isEqualTo(first);
        assertThat(content(2)).isEqualTo(first);
    }

    /** Returns the content of the store of each stripe, on a stopped node. */
    private static List<Map<String, String>> content(int node) {
        ArrayOptions options = array.options(node);
        return IntStream.range(0, TestArray.STRIPES)
                .mapToObj(number -> {
                    try (StoreStripe stripe = StoreStripe.open(
                            ArrayNode.storeDirectory(options, number),
                            options.segmentBytes(),
                            InstantSource.system(),
                            () -> {},
                            cause -> {})) {
                        return StripeContent.of(stripe);
                    }
                })
                .toList();
    }

    @Test
    void entriesGroupsAndTransactionsAreEqualOnAllNodes() {
        int leader = array.leader("s");
        try (RespClient client = array.client(leader);
                RespClient other = array.client((leader + 1) % TestArray.NODES)) {
            String id = client.call("XADD s * a 1");
            assertThat(id).matches("\\d{13}-0");
            assertThat(client.call("XADD s 7-1 a 1")).startsWith("ERR The ID specified in XADD is equal or smaller");
            assertThat(client.call("XRANGE s - +")).isEqualTo("[[" + id + ", [a, 1]]]");
            assertThat(client.call("XGROUP CREATE s g 0")).isEqualTo("OK");
            assertThat(client.call("XREADGROUP GROUP g alice STREAMS s >")).isEqualTo("[[s, [[" + id + ", [a, 1]]]]]");
            assertThat(client.call("XREADGROUP GROUP g bob STREAMS s >")).isEqualTo("nil");
            assertThat(client.call("XPENDING s g")).isEqualTo("[1, " + id + ", " + id + ", [[alice, 1]]]");
            assertThat(client.call("XREADGROUP GROUP other bob STREAMS s >")).startsWith("NOGROUP");
            assertThat(client.call("INCR s")).startsWith("WRONGTYPE");
            assertThat(client.pipeline(List.of("MULTI", "XADD s * a 2", "SET {s}k v", "XLEN s", "EXEC"))
                            .getLast())
                    .matches("\\[\\d{13}-\\d, OK, 2]");
            assertThat(client.call("WATCH s")).isEqualTo("OK");
            try (RespClient third = array.client(leader)) {
                assertThat(third.call("XACK s g " + id)).isEqualTo("1"); // no entry changes
            }
            assertThat(client.pipeline(List.of("MULTI", "SET {s}k w", "EXEC")).getLast())
                    .isEqualTo("[OK]");
            assertThat(client.call("WATCH s")).isEqualTo("OK");
            try (RespClient third = array.client(leader)) {
                assertThat(third.call("XDEL s " + id)).isEqualTo("1");
            }
            assertThat(client.pipeline(List.of("MULTI", "SET {s}k w", "EXEC")).getLast())
                    .isEqualTo("nil");
            assertThat(client.call("WATCH s")).isEqualTo("OK");
            assertThat(client.pipeline(List.of("MULTI", "SET {s}k w", "EXEC")).getLast())
                    .isEqualTo("[OK]");
            assertThat(client.call("COPY s {s}t")).isEqualTo("1");
            await().until(() -> other.call("XLEN s").startsWith("MOVED"));
        }
    }

    /** A process on a node's host reads a stream from the node's files alone, as it grows, and writes nothing. */
    @Test
    void aProcessOfTheHostTailsAStream() throws Exception {
        int leader = array.leader(ALONE);
        int mirror = (leader + 1) % TestArray.NODES;
        try (RespClient client = array.client(leader)) {
            String one = client.call("XADD " + ALONE + " * n 1");
            Path store = ArrayNode.storeDirectory(array.options(mirror), TestArray.stripe(ALONE));
            Process tail = StreamTail.start(store, directory.resolve("tail.err"));
            try (BufferedReader lines = tail.inputReader()) {
                assertThat(lines.readLine()).isEqualTo(one + " n 1");
                String two = client.call("XADD " + ALONE + " * n 2");
                assertThat(lines.readLine()).isEqualTo(two + " n 2");
                assertThat(lines.readLine()).as("it wants to append").isEqualTo("ReadOnlyException");
            } finally {
                tail.destroyForcibly();
            }
            assertThat(tail.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(client.call("XLEN " + ALONE)).isEqualTo("2");
        }
    }

    /** Entries wake the waiting clients, in the order in which these came. A client whose time ends gets nil. */
    @Test
    @Tag(Effort.LONG)
    void clientsWaitForEntries() throws Exception {
        int leader = array.leader("{s}waits");
        try (RespClient writer = array.client(leader);
                RespClient reader = array.client(leader);
                RespClient alice = array.client(leader);
                RespClient bob = array.client(leader)) {
            assertThat(writer.call("XGROUP CREATE {s}waits g $ MKSTREAM")).isEqualTo("OK");
            assertThat(reader.call("XREAD BLOCK 50 STREAMS {s}waits $")).isEqualTo("nil");
            assertThat(alice.call("XREADGROUP GROUP g alice BLOCK 50 STREAMS {s}waits >"))
                    .isEqualTo("nil");
            CompletableFuture<String> read = OtherThread.call(() -> reader.call("XREAD BLOCK 0 STREAMS {s}waits $"));
            awaitWaiting(leader, 1);
            CompletableFuture<String> first =
                    OtherThread.call(() -> alice.call("XREADGROUP GROUP g alice BLOCK 0 COUNT 1 STREAMS {s}waits >"));
            awaitWaiting(leader, 2);
            CompletableFuture<String> second =
                    OtherThread.call(() -> bob.call("XREADGROUP GROUP g bob BLOCK 0 COUNT 1 STREAMS {s}waits >"));
            awaitWaiting(leader, 3);
            String one = writer.call("XADD {s}waits * n 1");
            assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo("[[{s}waits, [[" + one + ", [n, 1]]]]]");
            assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("[[{s}waits, [[" + one + ", [n, 1]]]]]");
            String two = writer.call("XADD {s}waits * n 2");
            assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo("[[{s}waits, [[" + two + ", [n, 2]]]]]");
            assertThat(writer.call("XPENDING {s}waits g"))
                    .isEqualTo("[2, " + one + ", " + two + ", [[alice, 1], [bob, 1]]]");
            CompletableFuture<String> destroyed =
                    OtherThread.call(() -> alice.call("XREADGROUP GROUP g alice BLOCK 0 STREAMS {s}waits >"));
            awaitWaiting(leader, 1);
            assertThat(writer.call("XGROUP DESTROY {s}waits g")).isEqualTo("1");
            assertThat(destroyed.get(1, TimeUnit.MINUTES)).startsWith("NOGROUP");
        }
    }

    private static void awaitWaiting(int node, int clients) {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            try (RespClient client = array.client(node)) {
                assertThat(client.call("INFO clients")).contains("blocked_clients:" + clients + "\r\n");
            }
        });
    }

    /** A leader that loses its followers ends the waits of its clients with a reply, for they would wait in vain. */
    @Test
    @Tag(Effort.LONG)
    void waitsEndWithTheLeadership() throws Exception {
        int leader = array.leader("{s}ends");
        try (RespClient writer = array.client(leader);
                RespClient reader = array.client(leader);
                RespClient alice = array.client(leader)) {
            assertThat(writer.call("XGROUP CREATE {s}ends g $ MKSTREAM")).isEqualTo("OK");
            CompletableFuture<String> read = OtherThread.call(() -> reader.call("XREAD BLOCK 0 STREAMS {s}ends $"));
            CompletableFuture<String> ofGroup =
                    OtherThread.call(() -> alice.call("XREADGROUP GROUP g alice BLOCK 0 STREAMS {s}ends >"));
            awaitWaiting(leader, 2);
            for (int node = 0; node < TestArray.NODES; node++) {
                if (node != leader) {
                    array.stop(node);
                }
            }
            assertThat(read.get(1, TimeUnit.MINUTES)).startsWith("UNBLOCKED");
            assertThat(ofGroup.get(1, TimeUnit.MINUTES)).startsWith("UNBLOCKED");
        }
    }

    /**
     * While the leader changes, a producer retries each entry, under its number, until it is acknowledged. A consumer
     * acknowledges the entries that it has got. Each entry is there once, and was delivered.
     */
    @Test
    @Tag(Effort.LONG)
    void entriesComeOnceThoughTheLeaderChanges() throws Exception {
        int entries = 60;
        try (RespClient client = array.client(array.leader("{s}once"))) {
            assertThat(client.call("XGROUP CREATE {s}once g 0 MKSTREAM")).isEqualTo("OK");
        }
        Set<String> delivered = new HashSet<>();
        CompletableFuture<Void> consumer = OtherThread.run(() -> consume(delivered, entries));
        String first = retried("XADD {s}once IDMP p 0 * n 0");
        for (int number = 1; number < entries; number++) {
            if (number == entries / 2) {
                int leader = array.leader("{s}once");
                array.stop(leader);
                assertThat(retried("XADD {s}once IDMP p 0 * n 0")).isEqualTo(first);
                array.start(leader);
            }
            retried("XADD {s}once IDMP p " + number + " * n " + number);
        }
        consumer.get(1, TimeUnit.MINUTES);
        try (RespClient client = array.client(array.leader("{s}once"))) {
            assertThat(client.call("XLEN {s}once")).isEqualTo(Integer.toString(entries));
            String pending = client.call("XPENDING {s}once g");
            assertThat(delivered.size() + Integer.parseInt(pending.substring(1, pending.indexOf(','))))
                    .as("entries that were acknowledged, or delivered with a reply that was lost")
                    .isGreaterThanOrEqualTo(entries);
        }
    }

    private static void consume(Set<String> delivered, int entries) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (delivered.size() < entries && System.nanoTime() < end) {
            String reply = retried("XREADGROUP GROUP g c COUNT 10 BLOCK 500 STREAMS {s}once >");
            Matcher numbers = NUMBER.matcher(reply);
            boolean any = false;
            while (numbers.find()) {
                delivered.add(numbers.group(1));
                any = true;
            }
            if (!any && delivered.size() >= entries - 10) {
                Matcher again = NUMBER.matcher(retried("XREADGROUP GROUP g c STREAMS {s}once 0"));
                while (again.find()) { // entries whose first reply was lost
                    delivered.add(again.group(1));
                }
            }
        }
    }

    /** Sends a command to the leader, again and again until it is answered. */
    private static String retried(String line) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        for (int node = 0; System.nanoTime() < end; node = (node + 1) % TestArray.NODES) {
            try (RespClient client = array.client(node)) {
                String reply = client.call(line);
                if (!reply.startsWith("MOVED") && !reply.startsWith("CLUSTERDOWN") && !reply.startsWith("UNBLOCKED")) {
                    return reply;
                }
            } catch (UncheckedIOException e) {
                // the next node may lead
            }
        }
        throw new AssertionError("nobody has answered " + line);
    }
}
