package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random commands on streams and groups go to a server and to redis-server: the replies must be the same.
 *
 * <p>One difference is known, and rare. {@code XSETID} may set the greatest id below the id of a deleted entry. {@code XTRIM
 * MINID} of Redis then stops at the deleted entry, and removes nothing. Larder removes all entries that it should.
 */
final class StreamDifferenceTest {

    private static final int BATCH = 50;
    private static final int BATCHES = 12;

    /** Lines, found by long runs, in which Larder differed. */
    private static final List<String> DIFFERED_ONCE = List.of(
            "XGROUP CREATE s g 0 MKSTREAM ENTRIESREAD 2 MKSTREAM",
            "XGROUP CREATE s g 0 ENTRIESREAD 2 ENTRIESREAD 2",
            "XADD s 1-1 n v",
            "XGROUP CREATE s g 0",
            "XGROUP CREATE s g 0 ENTRIESREAD 2 ENTRIESREAD 2",
            "XGROUP SETID s g 0 ENTRIESREAD 2 ENTRIESREAD 2",
            "XGROUP SETID s h 0 ENTRIESREAD 2 ENTRIESREAD 2",
            "XINFO GROUPS s",
            "XREADGROUP GROUP g c STREAMS s s > 18446744073709551615-18446744073709551615",
            "DEL s");

    private static final List<String> WATCHED_BEFORE = List.of(
            "FLUSHALL",
            "XADD s 1-1 a b",
            "XADD s 2-1 a b",
            "XADD s 3-1 a b",
            "XGROUP CREATE s g 0",
            "XREADGROUP GROUP g c COUNT 1 STREAMS s >");

    /** Changes of a stream {@code s}, and of a key {@code n} that is not there. */
    private static final List<String> WATCHED_CHANGES = List.of(
            "XREADGROUP GROUP g c STREAMS s >",
            "XREADGROUP GROUP g c STREAMS s 0",
            "XREADGROUP GROUP g new STREAMS s >",
            "XREADGROUP GROUP g c NOACK STREAMS s >",
            "XACK s g 1-1",
            "XCLAIM s g d 0 1-1",
            "XCLAIM s g d 0 1-1 LASTID 9-9",
            "XAUTOCLAIM s g d 0 0",
            "XGROUP CREATE s h 0",
            "XGROUP CREATE n h 0 MKSTREAM",
            "XGROUP SETID s g 0",
            "XGROUP DESTROY s g",
            "XGROUP CREATECONSUMER s g n",
            "XGROUP DELCONSUMER s g c",
            "XSETID s 5-5",
            "XADD s 9-9 a b",
            "XADD n 9-9 a b",
            "XADD s MAXLEN 3 9-9 a b",
            "XADD s MAXLEN 0 9-9 a b",
            "XDEL s 1-1",
            "XDEL s 2-1",
            "XDEL s 9-9",
            "XTRIM s MAXLEN 1",
            "XTRIM s MAXLEN 100",
            "EXPIRE s 100",
            "PERSIST s",
            "TOUCH s",
            "COPY s n",
            "RENAME s n");

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private @Nullable RedisComparison both;

    @BeforeEach
    void start() {
        both = new RedisComparison(directory);
    }

    @AfterEach
    void stop() {
        if (both != null) { // else there is no redis-server
            both.close();
        }
    }

    private RedisComparison both() {
        return Objects.requireNonNull(both);
    }

    @Test
    void repliesAreThoseOfRedis() {
        try (TestClient reference = both().redis().client();
                TestClient client = new TestClient(both().larder().server().port())) {
            List<String[]> lines =
                    DIFFERED_ONCE.stream().map(line -> line.split(" ")).toList();
            assertThat(batch(lines, client, reference)).isEmpty();
        }
        Effort.seeds(6, 20, 400)
                .forEach(seed -> assertThat(differences(new StreamCommandLines(seed), seed % 2 == 0))
                        .as("seed %d", seed)
                        .isEmpty());
    }

    /** Consumers of a group do not disturb a client that watches the stream. */
    @Test
    void aTransactionNoticesWhatRedisNoticesOfAWatchedStream() {
        List<String> differences = new ArrayList<>();
        try (TestClient reference = both().redis().client();
                TestClient client = new TestClient(both().larder().server().port())) {
            for (String change : WATCHED_CHANGES) {
                for (String key : List.of("s", "n")) {
                    String ours = executed(client, key, change);
                    String theirs = executed(reference, key, change);
                    if (!ours.equals(theirs)) {
                        differences.add(change + ", " + key + " watched: " + ours + ", but Redis: " + theirs);
                    }
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static String executed(TestClient client, String watched, String change) {
        WATCHED_BEFORE.forEach(client::line);
        client.line("WATCH " + watched);
        client.line(change);
        client.line("MULTI");
        client.line("PING");
        return client.line("EXEC");
    }

    @Test
    void whatIsStoredIsAllThereIs() {
        for (int seed = 101; seed <= 103; seed++) {
            StreamCommandLines lines = new StreamCommandLines(seed);
            try (TestClient reference = both().redis().client()) {
                for (int part = 0; part < 3; part++) {
                    try (TestClient client = both().larder().client()) {
                        assertThat(batch(Stream.generate(lines::next).limit(150).toList(), client, reference))
                                .as("seed %d", seed)
                                .isEmpty();
                    }
                    both().larder().restart();
                }
                reference.line("FLUSHALL");
                both().larder().client().line("FLUSHALL");
            }
        }
    }

    @Test
    void eachRestoresWhatTheOtherDumps() {
        String[] full = {"XINFO", "STREAM", "copy", "FULL", "COUNT", "0"};
        try (TestClient reference = both().redis().client();
                TestClient client = both().larder().client()) {
            int streams = 0;
            for (int seed = 201; seed <= 200 + Effort.of(6, 10, 400); seed++) {
                StreamCommandLines lines = new StreamCommandLines(seed);
                batch(Stream.generate(lines::next).limit(200).toList(), client, reference);
                for (String key : List.of("s", "t", "u")) {
                    if (client.call("TYPE", key).equals("stream")) {
                        streams++;
                        String dump = client.call("DUMP", key);
                        assertThat(client.call("RESTORE", "copy", "0", reference.call("DUMP", key), "REPLACE"))
                                .isEqualTo("OK");
                        assertThat(reference.call("RESTORE", "copy", "0", dump, "REPLACE"))
                                .isEqualTo("OK");
                        assertThat(masked(full, client.call(full)))
                                .as("seed %d, key %s", seed, key)
                                .isEqualTo(masked(full, reference.call(full)));
                    }
                }
                reference.line("FLUSHALL");
                client.line("FLUSHALL");
            }
            assertThat(streams).isPositive();
        }
    }

    private List<String> differences(StreamCommandLines lines, boolean resp3) {
        List<String> differences = new ArrayList<>();
        try (TestClient reference = both().redis().client();
                TestClient client = new TestClient(both().larder().server().port())) {
            if (resp3) {
                reference.line("HELLO 3");
                client.line("HELLO 3");
            }
            for (int batch = 0; batch < BATCHES && differences.isEmpty(); batch++) {
                differences = batch(Stream.generate(lines::next).limit(BATCH).toList(), client, reference);
            }
            client.line("FLUSHALL");
            reference.line("FLUSHALL");
        }
        return differences;
    }

    private static List<String> batch(List<String[]> sent, TestClient client, TestClient reference) {
        List<String> differences = new ArrayList<>();
        sent.forEach(reference::send);
        sent.forEach(client::send);
        for (String[] line : sent) {
            String ours = masked(line, client.reply());
            String theirs = masked(line, reference.reply());
            if (!ours.equals(theirs)) {
                differences.add(Arrays.toString(line) + ": " + ours + ", but Redis: " + theirs);
            }
        }
        return differences;
    }

    /** Hides times, and the layout of streams in Redis. */
    private static String masked(String[] line, String reply) {
        String masked = reply;
        if (line[0].equals("XPENDING") && line.length > 3) {
            masked = masked.replaceAll("(\\d+-\\d+), (\\w+), \\d+, (\\d+)\\]", "$1, $2, _, $3]");
        }
        if (line[0].equals("XINFO")) {
            masked = masked.replaceAll("(radix-tree-keys|radix-tree-nodes|seen-time|idle)(, |=)\\d+", "$1$2_")
                    .replaceAll("(\\d+-\\d+), (\\w+, )?\\d+, (\\d+)\\]", "$1, $2_, $3]")
                    .replaceAll(
                            "lag(, |=)-\\d+", "lag$1nil"); // Redis has a lag below 0 where Larder has an unknown one
        }
        if (line[0].equals("TTL")) {
            masked = masked.replaceAll("9\\d\\d\\d|10000", "_");
        }
        return masked;
    }
}
