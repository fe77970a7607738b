package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads and writes that a client has sent together. */
@Tag(Effort.LONG)
final class ArrayPipelineTest {
    private static final int ROUNDS = Effort.of(4, 20, 100);

    private static final int NODE = 0;

    /** The number of reads that run ahead at first. */
    private static final int READS = 8;

    @TempDir
    static Path directory;

    private static TestArray array;
    private static List<String> keys;
    private static String elsewhere;
    private static String moved;

    @BeforeAll
    static void start() {
        array = new TestArray(directory);
        array.awaitLeaders();
        keys = IntStream.range(0, 1000)
                .mapToObj(number -> "key" + number)
                .filter(key -> array.leader(key) == NODE)
                .limit(6)
                .toList();
        elsewhere = IntStream.range(0, 1000)
                .mapToObj(number -> "key" + number)
                .filter(key -> array.leader(key) != NODE)
                .findFirst()
                .orElseThrow();
        try (RespClient client = array.client(NODE)) {
            await().until(() -> client.call("GET " + elsewhere).startsWith("MOVED")); // the node knows the leader
            moved = client.call("GET " + elsewhere);
        }
    }

    @AfterAll
    static void stop() {
        array.close();
    }

    /** A client that has fallen behind catches up. Regression: only 64 of its commands went together. */
    @Test
    void aLongPipelineIsAFewEntries() {
        int writes = 1_000;
        assertThat(fewestEntries(writes, "INCR " + keys.getFirst(), List.of()))
                .as("entries of " + writes + " writes")
                .isLessThan(10);
    }

    /** Regression: a command that was redirected to another node held up all commands behind it. */
    @Test
    void commandsForOtherNodesDoNotSplitAPipeline() {
        int writes = 60;
        assertThat(fewestEntries(writes, "INCR " + keys.getFirst(), List.of("SET " + elsewhere + " x")))
                .as("entries of " + writes + " writes")
                .isLessThan(writes / 3);
    }

    /** Returns how many entries the writes take, each followed by other commands, in the best of ten rounds. */
    private static long fewestEntries(int writes, String write, List<String> others) {
        try (RespClient client = array.client(NODE)) {
            long fewest = Long.MAX_VALUE;
            for (int round = 0; round < 10; round++) { // the system decides what has arrived when the first one runs
                long before = client.stripeFigures("entries");
                List<String> lines = new ArrayList<>();
                for (int i = 0; i < writes; i++) {
                    lines.add(write);
                    lines.addAll(others);
                }
                assertThat(client.pipeline(lines)).hasSize(lines.size()).doesNotContain("nil");
                fewest = Math.min(fewest, client.stripeFigures("entries") - before);
            }
            return fewest;
        }
    }

    /** Half of the commands read what the write before them has changed. Regression: each write had an entry of its own. */
    @Test
    void readsAndWritesShareEntries() {
        int pairs = 30;
        String key = keys.getFirst();
        try (RespClient client = array.client(NODE)) {
            client.call("SET " + key + " 0");
            long fewest = Long.MAX_VALUE;
            for (int round = 0; round < 10; round++) { // the system decides what has arrived when the first one runs
                long before = client.stripeFigures("entries");
                List<String> lines = new ArrayList<>();
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < pairs; i++) {
                    String value = "" + (round * pairs + i + 1);
                    lines.addAll(List.of("INCR " + key, "GET " + key));
                    expected.addAll(List.of(value, value));
                }
                assertThat(client.pipeline(lines)).isEqualTo(expected);
                fewest = Math.min(fewest, client.stripeFigures("entries") - before);
            }
            assertThat(fewest).as("entries of " + pairs + " writes").isLessThan(pairs / 3);
        }
    }

    /** Random pipelines have the replies that a server without stripes would give. */
    @RepeatedTest(10)
    void repliesAreThoseOfCommandsOneAfterTheOther() {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        Map<String, String> model = new HashMap<>();
        try (RespClient client = array.client(NODE)) {
            keys.forEach(key -> client.call("DEL " + key));
            for (int round = 0; round < ROUNDS; round++) {
                List<String> lines = new ArrayList<>();
                List<String> expected = new ArrayList<>();
                int count = 1 + random.nextInt(round == 0 ? 1_500 : 150);
                for (int i = 0; i < count; i++) {
                    add(random, model, lines, expected);
                }
                assertThat(client.pipeline(lines)).as("seed " + seed).isEqualTo(expected);
            }
        }
    }

    private static void add(Random random, Map<String, String> model, List<String> lines, List<String> expected) {
        String key = keys.get(random.nextInt(keys.size()));
        String value = model.get(key);
        switch (random.nextInt(13)) {
            case 0, 1 -> {
                lines.add("SET " + key + " v" + random.nextInt(100));
                expected.add("OK");
                model.put(key, lines.getLast().split(" ", -1)[2]);
            }
            case 2 -> {
                lines.add("APPEND " + key + " x");
                String longer = (value == null ? "" : value) + "x";
                model.put(key, longer);
                expected.add("" + longer.length());
            }
            case 3 -> {
                lines.add("DEL " + key);
                expected.add(model.remove(key) == null ? "0" : "1");
            }
            case 4 -> { // a read that is not quick stays behind, and so do later writes of its stripe
                lines.add("GETRANGE " + key + " 0 -1");
                expected.add(value == null ? "" : value);
            }
            case 5 -> { // fails at its key, and harms no other
                lines.add("XLEN " + key);
                expected.add(value == null ? "0" : "WRONGTYPE Operation against a key holding the wrong kind of value");
            }
            case 6 -> {
                lines.add("STRLEN " + key);
                expected.add("" + (value == null ? 0 : value.length()));
            }
            case 8 -> {
                lines.add(random.nextBoolean() ? "SET " + elsewhere + " x" : "GET " + elsewhere);
                expected.add(moved);
            }
            case 7 -> {
                lines.addAll(List.of("MULTI", "APPEND " + key + " t", "GET " + key, "EXEC"));
                String now = (value == null ? "" : value) + "t";
                model.put(key, now);
                expected.addAll(List.of("OK", "QUEUED", "QUEUED", "[" + now.length() + ", " + now + "]"));
            }
            default -> {
                lines.add("GET " + key);
                expected.add(value == null ? "nil" : value);
            }
        }
    }

    /** A read whose client keeps copies does not run ahead: its session records the key before it reads. */
    @Test
    void aCopyOfAKeyThatWasReadBehindAWriteIsInvalidated() {
        String key = keys.get(1);
        try (RespClient client = array.client(NODE);
                RespClient other = array.client(NODE)) {
            other.call("SET " + key + " 1");
            String id = client.call("CLIENT ID");
            try (RespClient inbox = array.client(NODE)) {
                inbox.call("SUBSCRIBE __redis__:invalidate");
                assertThat(client.call("CLIENT TRACKING ON REDIRECT " + inboxId(other, id)))
                        .isEqualTo("OK");
                assertThat(client.pipeline(List.of("SET " + keys.get(2) + " 1", "GET " + key)))
                        .containsExactly("OK", "1");
                other.call("SET " + key + " 2");
                assertThat(inbox.next()).contains(key);
            }
        }
    }

    /** Returns the id of the client that listens. */
    private static String inboxId(RespClient client, String other) {
        return client.call("CLIENT LIST TYPE PUBSUB")
                .lines()
                .map(line -> line.substring(line.indexOf("id=") + 3).split(" ", 2)[0])
                .filter(id -> !id.equals(other))
                .findFirst()
                .orElseThrow();
    }

    /** Regression: each mirror stopped when it applied the second command, and again at each start. */
    @Test
    void aKeyThatIsTooLongDoesNotGoAhead() {
        String key = keys.getFirst();
        String tooLong = "{" + key + "}" + "k".repeat(65_536);
        try (RespClient client = array.client(NODE)) {
            for (String second : List.of("SET " + tooLong + " v", "DEL " + key + " " + tooLong)) {
                List<String> replies = client.pipeline(List.of("SET " + key + " v", second, "SET " + key + " w"));
                assertThat(replies).element(0).isEqualTo("OK");
                assertThat(replies.get(1)).startsWith("ERR a key of ").contains(" bytes is too long");
                assertThat(replies).element(2).isEqualTo("OK");
            }
            assertThat(client.call("GET " + key)).isEqualTo("w");
        }
    }

    /** The heap does not keep the values until their turn. Each read is answered nevertheless, between the writes around it. */
    @Test
    void readsOfLongValuesAreAnsweredInTheirTurn() {
        String write = keys.getFirst();
        String large = "{" + write + "}large";
        String value = "l".repeat(400_000);
        try (RespClient client = array.client(NODE)) {
            List<String> lines = new ArrayList<>(List.of("SET " + write + " 0", "SET " + large + " " + value));
            for (int i = 0; i < 20; i++) {
                lines.addAll(List.of("GET " + large, "INCR " + write));
            }
            lines.addAll(List.of("SET " + large + " short", "GET " + large));
            List<String> replies = client.pipeline(lines);
            for (int i = 0; i < 20; i++) {
                assertThat(replies.get(2 + 2 * i)).isEqualTo(value);
                assertThat(replies.get(3 + 2 * i)).isEqualTo(Integer.toString(i + 1));
            }
            assertThat(replies).last().isEqualTo("short");
        }
    }

    /** The write is short, but its value is long: no reply is given up for that. */
    @Test
    void readsOfAValueThatAnOffsetMakesLongAreAnswered() {
        String write = keys.getFirst();
        String large = "{" + write + "}offset";
        try (RespClient client = array.client(NODE)) {
            List<String> lines = new ArrayList<>(List.of("SETRANGE " + large + " 399999 x"));
            lines.addAll(Collections.nCopies(READS, "GET " + large));
            lines.add("SET " + write + " behind");
            List<String> replies = client.pipeline(lines);
            assertThat(replies).first().isEqualTo("400000");
            assertThat(replies.subList(1, 1 + READS))
                    .allSatisfy(reply -> assertThat(reply).hasSize(400_000));
            assertThat(replies).last().isEqualTo("OK");
        }
    }
}
