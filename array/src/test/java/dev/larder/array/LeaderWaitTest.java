package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.node.Stripes;
import dev.larder.array.ratis.HeldElections;
import dev.larder.array.ratis.RaftNode;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that a client has sent together, some of them for a stripe that has no leader now. The node leads two stripes. Its
 * members end their leadership, and stand for election when a test says so, or a little later by themselves.
 */
@Tag(Effort.LONG)
@Timeout(300)
final class LeaderWaitTest {

    private static final int NODE = 0;
    private static final int ONE = 0;
    private static final int OTHER = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    static Path directory;

    private static TestArray array;
    private static RaftNode raft;
    private static Stripes stripes;

    @BeforeAll
    static void start() throws ReflectiveOperationException {
        array = new TestArray(directory);
        array.awaitLeaders();
        raft = array.raft(NODE);
        stripes = array.stripes(NODE);
        for (int node = 1; node < TestArray.NODES; node++) {
            HeldElections.hold(array.raft(node), stripes.id(ONE));
            HeldElections.hold(array.raft(node), stripes.id(OTHER));
        }
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    @BeforeEach
    void begin() {
        awaitLeader(ONE);
        awaitLeader(OTHER);
        try (RespClient client = array.client(NODE)) {
            for (int stripe : new int[] {ONE, OTHER}) {
                assertThat(client.call("DEL " + key(stripe, 0))).isIn("0", "1");
                assertThat(client.call("DEL " + key(stripe, 1))).isIn("0", "1");
            }
        }
    }

    private static String key(int stripe, int number) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "key" + i)
                .filter(key -> TestArray.stripe(key) == stripe)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    private static void lose(int stripe) {
        HeldElections.stepDown(raft, stripes.id(stripe));
        await().atMost(PATIENCE).until(() -> !array.node(NODE).isLeading(stripe));
    }

    private static void stand(int stripe) {
        HeldElections.stand(raft, stripes.id(stripe));
    }

    /** Waits until the node leads, and returns at once then. */
    private static void awaitLeader(int stripe) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!array.node(NODE).isLeading(stripe)) {
            assertThat(System.nanoTime() - end).isNegative();
            Thread.onSpinWait();
        }
    }

    private static boolean isDone(String reply) {
        return !reply.startsWith("MOVED") && !reply.startsWith("TRYAGAIN");
    }

    /** Regression: each command that waited for a leader delayed the writes of other stripes behind it by a second. */
    @Test
    void aCommandThatWaitsForALeaderHoldsUpNoOtherStripe() {
        String held = key(OTHER, 0);
        String free = key(ONE, 0);
        int before = Integer.MAX_VALUE; // replies that had come when the writes behind were done
        try (RespClient client = array.client(NODE);
                RespClient looking = array.client(NODE)) {
            for (int round = 1; round <= 3 && before > 0; round++) { // this machine may be busy for a second
                lose(OTHER);
                client.begin(List.of("INCR " + held, "INCR " + held, "INCR " + free, "INCR " + free));
                List<String> replies = Collections.synchronizedList(new ArrayList<>());
                CompletableFuture<Void> reading = OtherThread.run(() -> {
                    for (int i = 0; i < 4; i++) {
                        replies.add(client.next());
                    }
                });
                String wanted = Integer.toString(2 * round);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> looking.call("GET " + free).equals(wanted));
                before = Math.min(before, replies.size());
                stand(OTHER);
                reading.join();
                assertThat(replies.subList(2, 4)).containsExactly(Integer.toString(2 * round - 1), wanted);
                awaitLeader(OTHER);
            }
        }
        assertThat(before).isZero();
    }

    /**
     * The leader is there, but the command that waits for it has not run again. A command that comes now must not overtake it.
     */
    @RepeatedTest(5)
    void aLaterCommandOfTheStripeComesLater() {
        String held = key(OTHER, 0);
        String free = key(ONE, 0);
        try (RespClient client = array.client(NODE);
                RespClient looking = array.client(NODE)) {
            lose(OTHER);
            client.begin(List.of("APPEND " + held + " a", "INCR " + free));
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> looking.call("GET " + free).equals("1"));
            stand(OTHER);
            awaitLeader(OTHER);
            client.begin(List.of("APPEND " + held + " b"));
            String first = client.next();
            assertThat(client.next()).isEqualTo("1");
            assertThat(client.next()).isEqualTo(isDone(first) ? "2" : "1");
            assertThat(looking.call("GET " + held)).isEqualTo(isDone(first) ? "ab" : "b");
        }
    }

    /** The same for a command of another stripe, behind one that waits. */
    @RepeatedTest(3)
    void aCommandBehindOneThatWaitsIsNotOvertaken() {
        String first = key(ONE, 0);
        String second = key(OTHER, 0);
        try (RespClient client = array.client(NODE)) {
            lose(ONE);
            lose(OTHER);
            client.begin(List.of("APPEND " + first + " x", "APPEND " + second + " a"));
            stand(OTHER);
            awaitLeader(OTHER);
            client.begin(List.of("APPEND " + second + " b"));
            stand(ONE);
            assertThat(client.next()).matches(reply -> !isDone(reply) || reply.equals("1"));
            assertThat(List.of(client.next(), client.next())).containsExactly("1", "2");
        }
    }

    /** The replies are the same as if the commands ran one after the other, except for those that are refused. */
    @RepeatedTest(3)
    void repliesAreThoseOfCommandsOneAfterTheOther() {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String key = key(random.nextBoolean() ? ONE : OTHER, random.nextInt(2));
            lines.add(
                    switch (random.nextInt(4)) {
                        case 0 -> "GET " + key;
                        case 1 -> "GETRANGE " + key + " 0 -1";
                        default -> "APPEND " + key + " x";
                    });
        }
        try (RespClient client = array.client(NODE)) {
            lose(OTHER);
            int cut = random.nextInt(1, lines.size());
            client.begin(lines.subList(0, cut));
            stand(OTHER);
            client.begin(lines.subList(cut, lines.size()));
            Map<String, String> model = new HashMap<>();
            for (String line : lines) {
                String reply = client.next();
                String key = line.split(" ", -1)[1];
                if (isDone(reply)) {
                    assertThat(reply).as(line + " of seed " + seed).isEqualTo(expected(model, line, key));
                } else {
                    assertThat(TestArray.stripe(key)).isEqualTo(OTHER);
                }
            }
            model.forEach((key, value) -> assertThat(client.call("GET " + key)).isEqualTo(value));
        }
    }

    /** From then on another node changes the keys, and it may do so before this node hears of that. */
    @Test
    void clientsForgetTheirCopiesOfKeysAsTheNodeCeasesToLead() {
        try (RespClient client = array.client(NODE);
                RespClient listener = array.client(NODE)) {
            String id = listener.call("CLIENT ID");
            assertThat(listener.call("SUBSCRIBE __redis__:invalidate")).contains("invalidate");
            assertThat(client.call("CLIENT TRACKING ON REDIRECT " + id)).isEqualTo("OK");
            assertThat(client.call("GET " + key(ONE, 0))).isEqualTo("nil");
            lose(ONE);
            assertThat(listener.next()).isEqualTo("[message, __redis__:invalidate, nil]");
        }
    }

    private static String expected(Map<String, String> model, String line, String key) {
        if (line.startsWith("APPEND")) {
            model.merge(key, "x", String::concat);
            return Integer.toString(Objects.requireNonNull(model.get(key)).length());
        }
        return model.getOrDefault(key, line.startsWith("GETRANGE") ? "" : "nil");
    }
}
