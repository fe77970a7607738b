package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.stripe.StripeClock;
import dev.larder.array.stripe.StripeClock.EntryTime;
import dev.larder.server.Configuration;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on an array of three nodes and four stripes, as clients see them. */
final class ArrayCommandsTest {

    /** One hash tag for each stripe, in the order of the stripes. */
    private static final List<String> TAGS = IntStream.range(0, TestArray.STRIPES)
            .mapToObj(stripe -> IntStream.range(0, 1000)
                    .mapToObj(number -> "{t" + number + "}")
                    .filter(tag -> TestArray.stripe(tag) == stripe)
                    .findFirst()
                    .orElseThrow())
            .toList();

    @TempDir
    static Path directory;

    private static TestArray array;

    @BeforeAll
    static void start() {
        array = new TestArray(directory);
        array.awaitLeaders();
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    private static RespClient leaderOf(String key) {
        return array.client(array.leader(key));
    }

    /** Returns a client of a node that does not lead a key's stripe. */
    private static RespClient follower(String key) {
        return array.client((array.leader(key) + 1) % TestArray.NODES);
    }

    @Test
    void theLeaderAnswersAndTheOthersSayWhoLeads() {
        try (RespClient first = leaderOf("fruit");
                RespClient second = follower("fruit")) {
            assertThat(first.call("SET fruit apple")).isEqualTo("OK");
            assertThat(first.call("GET fruit")).isEqualTo("apple");
            assertThat(first.call("INCR {fruit}count")).isEqualTo("1");
            assertThat(first.call("TTL fruit")).isEqualTo("-1");
            assertThat(first.call("SET fruit pear NX")).isEqualTo("nil");
            assertThat(first.call("INCR fruit")).isEqualTo("ERR value is not an integer or out of range");
            await().until(() -> second.call("GET fruit").startsWith("MOVED")); // the node knows the leader
            // slots by the reference: CLUSTER KEYSLOT fruit is 1821
            String moved = "MOVED 1821 " + array.address(array.leader("fruit"));
            assertThat(second.call("GET fruit")).isEqualTo(moved);
            assertThat(second.call("SET fruit apple")).isEqualTo(moved);
            assertThat(second.call("WATCH fruit")).isEqualTo(moved);
            assertThat(second.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aClientThatSendsNoMoreHasItsReplies() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), array.port(array.leader("{half}")))) {
            socket.getOutputStream()
                    .write("SET {half} 1\r\nINCR {half}\r\nGET {half}\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("+OK\r\n:2\r\n$1\r\n2\r\n");
        }
    }

    /** Each key has expired by now, but not by the time of an entry under way. */
    @Test
    void aReadOfAKeyThatHasEndedWaitsForTheEntriesUnderWay() {
        int leader = array.leader("{ended}");
        StripeClock clock = array.node(leader).clock(TestArray.stripe("{ended}"));
        List<String> commands = List.of(
                "GET {ended}",
                "EXISTS {ended} {ended}2",
                "MGET {ended} {ended}2 {ended}endless",
                "STRLEN {ended}",
                "PTTL {ended}",
                "XLEN {ended}stream",
                "XREAD BLOCK 1 STREAMS {ended}stream 0",
                "KEYS {ended}2");
        try (RespClient client = array.client(leader)) {
            client.pipeline(List.of("SET {ended}endless 1", "XADD {ended}stream * a 1"));
            client.pipeline(List.of("SET {ended} v PX 300", "SET {ended}2 v PX 300", "PEXPIRE {ended}stream 300"));
            List<RespClient> readers =
                    commands.stream().map(command -> array.client(leader)).toList();
            List<CompletableFuture<String>> reads = new ArrayList<>();
            EntryTime underWay = clock.begin();
            try {
                long begun = System.currentTimeMillis();
                await().until(() -> System.currentTimeMillis() > begun + 300);
                for (int i = 0; i < commands.size(); i++) {
                    RespClient reader = readers.get(i);
                    String command = commands.get(i);
                    reads.add(OtherThread.call(() -> reader.call(command)));
                }
                await().until(() -> commands.stream()
                        .map(command -> "cmd=" + command.split(" ", -1)[0].toLowerCase(Locale.ROOT) + " ")
                        .allMatch(client.call("CLIENT LIST")::contains));
                assertThat(client.call("GET {ended}endless")).as("another key").isEqualTo("1");
            } finally {
                clock.end(underWay);
            }
            List<String> replies = reads.stream().map(CompletableFuture::join).toList();
            readers.forEach(RespClient::close);
            assertThat(replies).containsExactly("nil", "0", "[nil, nil, 1]", "0", "-2", "0", "nil", "[]");
        }
    }

    @Test
    void infoTellsOfEachStripe() {
        try (RespClient client = leaderOf("{told}")) {
            long operations = client.stripeFigures("operations");
            long entries = client.stripeFigures("entries");
            long rounds = client.stripeFigures("barrier_rounds");
            client.call("SET {told} 1");
            client.call("INCR {told}");
            client.call("GET {told}");
            assertThat(client.stripeFigures("operations")).isGreaterThanOrEqualTo(operations + 2);
            assertThat(client.stripeFigures("entries")).isGreaterThanOrEqualTo(entries + 2);
            assertThat(client.stripeFigures("barrier_rounds")).isGreaterThan(rounds);
            assertThat(client.stripeFigures("leads")).isPositive();
            assertThat(client.stripeFigures("elections")).isPositive();
        }
    }

    /**
     * Mirrors begin rounds too, some in each second. So the test requires that most pairs have none; each read of the control has
     * one.
     */
    @Test
    void aReadBehindAWriteNeedsNoRound() {
        int pairs = 200;
        try (RespClient client = leaderOf("{behind}")) {
            long before = client.stripeFigures("barrier_rounds");
            for (int i = 0; i < pairs; i++) {
                assertThat(client.pipeline(List.of("SET {behind} " + i, "GET {behind}")))
                        .containsExactly("OK", "" + i);
            }
            assertThat(client.stripeFigures("barrier_rounds") - before).isLessThan(pairs / 2);
            before = client.stripeFigures("barrier_rounds");
            for (int i = 0; i < pairs; i++) {
                assertThat(client.pipeline(List.of("PING", "GET {behind}"))).containsExactly("PONG", "" + (pairs - 1));
            }
            assertThat(client.stripeFigures("barrier_rounds") - before).isGreaterThanOrEqualTo(pairs);
        }
    }

    @Test
    void repliesOfAPipelineComeInItsOrder() {
        try (RespClient client = leaderOf("{pipe}")) {
            List<String> lines = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                lines.addAll(
                        List.of("INCR {pipe}n", "GET {pipe}n", "SET {pipe}a " + i, "APPEND {pipe}a x", "GET {pipe}a"));
                expected.addAll(List.of("" + i, "" + i, "OK", "" + (("" + i).length() + 1), i + "x"));
                if (i % 3 == 0) {
                    lines.addAll(List.of("PING", "INCRBY {pipe}a 1"));
                    expected.addAll(List.of("PONG", "ERR value is not an integer or out of range"));
                }
            }
            assertThat(client.pipeline(lines)).isEqualTo(expected);
        }
    }

    /** Writes that are submitted ahead take effect once, and only if the user may run them. */
    @Test
    void aPipelineOfWritesDoesEachOnceAndNoneThatIsDenied() {
        try (RespClient client = leaderOf("{ahead}")) {
            assertThat(client.call("ACL SETUSER limited on nopass ~{ahead}ok* ~{ahead}n +@all -append"))
                    .isEqualTo("OK");
            assertThat(client.call("AUTH limited any")).isEqualTo("OK");
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                lines.add("INCR {ahead}n");
                lines.add(i % 2 == 0 ? "INCR {ahead}secret" : "APPEND {ahead}ok x");
            }
            List<String> replies = client.pipeline(lines);
            for (int i = 0; i < 100; i++) {
                assertThat(replies.get(2 * i)).isEqualTo("" + (i + 1));
                assertThat(replies.get(2 * i + 1)).startsWith("NOPERM");
            }
            assertThat(client.call("AUTH default any")).isEqualTo("OK");
            assertThat(client.call("MGET {ahead}n {ahead}secret {ahead}ok")).isEqualTo("[100, nil, nil]");
        }
    }

    /** An entry holds only commands that the user may run when it is submitted. No reply goes to another command. */
    @Test
    void aTransactionDoesNothingThatItsUserMayNotRunAnyMore() {
        try (RespClient client = leaderOf("{rights}");
                RespClient admin = leaderOf("{rights}")) {
            assertThat(admin.call("ACL SETUSER less on nopass ~* +@all")).isEqualTo("OK");
            assertThat(client.call("AUTH less any")).isEqualTo("OK");
            assertThat(client.pipeline(List.of("MULTI", "INCR {rights}n", "SET {rights}a 1", "STRLEN {rights}a")))
                    .containsExactly("OK", "QUEUED", "QUEUED", "QUEUED");
            assertThat(admin.call("ACL SETUSER less -set")).isEqualTo("OK");
            assertThat(client.call("EXEC"))
                    .startsWith("[1, NOPERM ACLs rules changed between the moment the transaction was accumulated")
                    .endsWith(", 0]");
            assertThat(admin.call("GET {rights}a")).isEqualTo("nil");
            assertThat(client.pipeline(List.of("MULTI", "INCR {rights}n"))).containsExactly("OK", "QUEUED");
            assertThat(admin.call("ACL SETUSER less -incr")).isEqualTo("OK");
            assertThat(client.call("EXEC")).startsWith("[NOPERM ACLs rules changed");
            assertThat(admin.call("GET {rights}n")).isEqualTo("1");
        }
    }

    @Test
    void transactionsAreOneEntry() {
        try (RespClient client = leaderOf("{tx}");
                RespClient other = leaderOf("{tx}")) {
            assertThat(client.pipeline(List.of("MULTI", "SET {tx}a 1", "INCR {tx}a", "GET {tx}a", "PING", "EXEC")))
                    .containsExactly("OK", "QUEUED", "QUEUED", "QUEUED", "QUEUED", "[OK, 2, 2, PONG]");
            assertThat(client.call("WATCH {tx}a")).isEqualTo("OK");
            assertThat(other.call("SET {tx}a 5")).isEqualTo("OK");
            assertThat(client.pipeline(List.of("MULTI", "INCR {tx}a", "EXEC"))).containsExactly("OK", "QUEUED", "nil");
            assertThat(client.call("WATCH {tx}a")).isEqualTo("OK");
            assertThat(other.pipeline(List.of("SET {tx}a 7", "SET {tx}a 5"))).containsExactly("OK", "OK");
            assertThat(client.pipeline(List.of("MULTI", "INCR {tx}a", "EXEC"))).containsExactly("OK", "QUEUED", "nil");
            assertThat(client.call("WATCH {tx}a")).isEqualTo("OK");
            assertThat(client.pipeline(List.of("MULTI", "INCR {tx}a", "EXEC"))).containsExactly("OK", "QUEUED", "[6]");
            assertThat(client.pipeline(List.of("MULTI", "DBSIZE", "EXEC")).getLast())
                    .startsWith("EXECABORT Transaction discarded because of: ERR 'dbsize' names no key");
        }
    }

    @Test
    void keysOfOneCommandOrTransactionHaveOneSlot() {
        try (RespClient client = leaderOf("a")) {
            String refused = "CROSSSLOT Keys in request don't hash to the same slot";
            assertThat(client.call("MSET a 1 b 2")).isEqualTo(refused);
            assertThat(client.call("EXISTS a b")).isEqualTo(refused);
            assertThat(client.pipeline(List.of("MULTI", "SET a 1", "SET b 2", "EXEC"))
                            .getLast())
                    .isEqualTo(refused);
            assertThat(client.call("MSET {a}1 1 {a}2 2")).isEqualTo("OK");
            assertThat(client.call("MGET {a}1 {a}2 {a}3")).isEqualTo("[1, 2, nil]");
        }
    }

    @Test
    void whatIsNotReplicatedIsRefused() {
        try (RespClient client = leaderOf("long")) {
            assertThat(client.call("SET long " + "v".repeat(2 << 20))).startsWith("ERR a write of");
            assertThat(client.call("GET long")).isEqualTo("nil");
            assertThat(client.call("SWAPDB 0 0")).isEqualTo("ERR SWAPDB is not allowed in cluster mode");
        }
    }

    /** Commands about all keys cover the stripes that a node leads. All nodes together cover the array. */
    @Test
    void commandsAboutAllKeysSpeakOfWhatTheNodeLeads() {
        Set<String> put = new TreeSet<>();
        for (String tag : TAGS) {
            try (RespClient client = leaderOf(tag)) {
                for (int i = 0; i < 50; i++) {
                    assertThat(client.call("SET " + tag + "all" + i + " v")).isEqualTo("OK");
                    put.add(tag + "all" + i);
                }
            }
        }
        Set<String> listed = new TreeSet<>();
        Set<String> scanned = new TreeSet<>();
        long counted = 0;
        for (int node = 0; node < TestArray.NODES; node++) {
            try (RespClient client = array.client(node)) {
                listed.addAll(words(client.call("KEYS *}all*")));
                scanned.addAll(scan(client));
                counted += Long.parseLong(client.call("DBSIZE"));
                assertThat(client.call("RANDOMKEY")).isNotEqualTo("nil");
                assertThat(client.call("SCAN x")).isEqualTo("ERR invalid cursor");
            }
        }
        assertThat(listed).isEqualTo(put);
        assertThat(scanned).isEqualTo(put);
        assertThat(counted).isGreaterThanOrEqualTo(put.size());
        for (int node = 0; node < TestArray.NODES; node++) {
            try (RespClient client = array.client(node)) {
                assertThat(client.call("FLUSHALL")).isEqualTo("OK");
                assertThat(client.call("DBSIZE")).isEqualTo("0");
                assertThat(client.call("RANDOMKEY")).isEqualTo("nil");
                assertThat(scan(client)).isEmpty();
            }
        }
    }

    private static List<String> words(String array) {
        String inner = array.substring(1, array.length() - 1);
        return inner.isEmpty() ? List.of() : List.of(inner.split(", "));
    }

    private static Set<String> scan(RespClient client) {
        Set<String> keys = new TreeSet<>();
        String cursor = "0";
        do {
            String reply = client.call("SCAN " + cursor + " COUNT 7 MATCH *}all*");
            int comma = reply.indexOf(',');
            cursor = reply.substring(1, comma);
            keys.addAll(words(reply.substring(comma + 2, reply.length() - 1)));
        } while (!cursor.equals("0"));
        return keys;
    }

    @Test
    void theNodesTellWhoLeadsWhichSlots() {
        String expected = IntStream.range(0, TestArray.STRIPES)
                .mapToObj(stripe -> stripe * 4096 + "-" + (stripe * 4096 + 4095) + ":" + array.port(stripe % 3))
                .collect(Collectors.joining(" "));
        for (int node = 0; node < TestArray.NODES; node++) {
            try (RespClient client = array.client(node)) {
                await().until(() -> client.call("CLUSTER INFO").contains("cluster_state:ok"));
                await().untilAsserted(() -> assertThat(slots(client)).isEqualTo(expected));
                assertThat(client.call("CLUSTER SHARDS")).contains("replica", "master", "online");
                assertThat(client.call("CLUSTER HELP"))
                        .contains("COUNTKEYSINSLOT <slot>", "PROPOSE <record>", "TOPOLOGY", "Prints this help.");
                String id = client.call("CLUSTER MYID");
                String lines = client.call("CLUSTER NODES");
                assertThat(id).hasSize(40);
                assertThat(lines.lines()).hasSize(TestArray.NODES).allMatch(line -> line.contains(" connected "));
                assertThat(lines.lines().filter(line -> line.startsWith(id)))
                        .singleElement()
                        .matches(line -> line.contains(" myself,master "));
                assertThat(client.call("CLUSTER KEYSLOT fruit")).isEqualTo("1821");
                assertThat(client.call("CLUSTER COUNTKEYSINSLOT 20000")).isEqualTo("ERR Invalid slot");
                assertThat(client.call("HELLO")).contains("mode, cluster");
                assertThat(client.call("INFO")).contains("cluster_enabled:1", "redis_mode:cluster");
            }
        }
    }

    private static String slots(RespClient client) {
        List<String> parts = words(client.call("CLUSTER SLOTS")).stream()
                .map(word -> word.replaceAll("[\\[\\]]", ""))
                .filter(word -> !word.isEmpty())
                .toList();
        int size = 2 + TestArray.NODES * 3; // a range, and address, port and name of each node
        return IntStream.range(0, TestArray.STRIPES)
                .mapToObj(stripe -> parts.get(stripe * size) + "-" + parts.get(stripe * size + 1) + ":"
                        + parts.get(stripe * size + 3))
                .collect(Collectors.joining(" "));
    }

    @Test
    void keysOfASlotAreCounted() {
        try (RespClient client = leaderOf("{slot}")) {
            String slot = client.call("CLUSTER KEYSLOT {slot}");
            assertThat(client.call("MSET {slot}1 v {slot}2 v")).isEqualTo("OK");
            assertThat(client.call("CLUSTER COUNTKEYSINSLOT " + slot)).isEqualTo("2");
            assertThat(words(client.call("CLUSTER GETKEYSINSLOT " + slot + " 5")))
                    .containsExactlyInAnyOrder("{slot}1", "{slot}2");
        }
    }

    /** Other nodes would try to connect there for ever. */
    @Test
    void anAddressToWhichNobodyCanConnectIsNotTakenIntoTheRecord() {
        ArrayNode node = array.node(0);
        InetSocketAddress known = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000);
        for (InetSocketAddress wrong : List.of(
                InetSocketAddress.createUnresolved("no.such.host.invalid", 7001),
                new InetSocketAddress("0.0.0.0", 7001))) {
            for (NodeAddresses addresses : List.of(
                    new NodeAddresses(wrong, known, known),
                    new NodeAddresses(known, wrong, known),
                    new NodeAddresses(known, known, wrong))) {
                ArrayRecord next = node.record().adding("zone", 1, addresses);
                assertThatThrownBy(() -> node.propose(next))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("node " + (next.nextNode() - 1) + ": ")
                        .hasMessageContaining(wrong.getHostString() + ":7001");
            }
        }
    }

    @Test
    void messagesGoToTheSubscribersOfAllNodes() {
        try (RespClient listener = array.client(0);
                RespClient publisher = array.client(1)) {
            assertThat(listener.call("SUBSCRIBE news")).isEqualTo("[subscribe, news, 1]");
            assertThat(publisher.call("PUBLISH news hello")).isEqualTo("0"); // the count is of this node's subscribers
            assertThat(listener.next()).isEqualTo("[message, news, hello]");
            assertThat(listener.call("SSUBSCRIBE shard")).isEqualTo("[ssubscribe, shard, 1]");
            assertThat(publisher.call("SPUBLISH shard part")).isEqualTo("0");
            assertThat(listener.next()).isEqualTo("[smessage, shard, part]");
            String greatest = "m".repeat((1 << 20) - 6 - "news".length()); // regression: it ended the node's links
            assertThat(publisher.call("PUBLISH news " + greatest)).isEqualTo("0");
            assertThat(listener.next()).isEqualTo("[message, news, " + greatest + "]");
            assertThat(publisher.call("PUBLISH news m" + greatest)).startsWith("ERR a message and its channel of");
        }
    }

    @Test
    void parametersThatAnArrayDoesNotHaveAreRefused() {
        assertThatThrownBy(() -> ArrayNode.start(
                        array.options(0), Configuration.defaults().with("databases", "2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("databases 2: a node of an array has 1");
    }

    @Test
    void mirrorsAnswerClientsThatTakeIt() {
        try (RespClient leader = leaderOf("{mirror}");
                RespClient mirror = follower("{mirror}")) {
            assertThat(leader.call("SET {mirror}a 1")).isEqualTo("OK");
            assertThat(mirror.call("GET {mirror}a")).startsWith("MOVED");
            assertThat(mirror.call("READONLY")).isEqualTo("OK");
            await().until(() -> mirror.call("GET {mirror}a").equals("1"));
            assertThat(mirror.call("SET {mirror}a 2")).startsWith("MOVED");
            assertThat(mirror.call("XREAD STREAMS {mirror}s 0")).isEqualTo("nil");
            assertThat(mirror.call("XREAD COUNT 1 BLOCK 0 STREAMS {mirror}s 0")).startsWith("MOVED");
            assertThat(mirror.call("READWRITE")).isEqualTo("OK");
            assertThat(mirror.call("GET {mirror}a")).startsWith("MOVED");
            assertThat(mirror.call("READONLY")).isEqualTo("OK");
            await().until(() -> mirror.call("GET {mirror}a").equals("1"));
            assertThat(mirror.call("RESET")).isEqualTo("RESET");
            assertThat(mirror.call("GET {mirror}a")).startsWith("MOVED");
        }
    }
}
