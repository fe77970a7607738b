package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random command lines, many of them malformed, go to a server and to redis-server: the replies must be the same. Lifetimes
 * are far from their end, so that no key expires on one of the two alone.
 */
final class KeyCommandsDifferenceTest {

    private static final int BATCH = 50;
    private static final int BATCHES = 20;
    private static final long CLOCKS_MILLIS = 600_000;
    private static final String SHARED = Integer.toString(Integer.MAX_VALUE);
    private static final List<String> TIMES = List.of("TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME");

    @TempDir
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
        Effort.seeds(4, 8, 400)
                .forEach(seed -> assertThat(differences(new KeyCommandLines(seed, System::currentTimeMillis)))
                        .as("seed %d", seed)
                        .isEmpty());
    }

    /** Returns the first lines whose replies differ. Later differences may follow from them. */
    private List<String> differences(KeyCommandLines lines) {
        List<String> differences = new ArrayList<>();
        try (TestClient reference = both().redis().client();
                TestClient client = new TestClient(both().larder().server().port())) {
            for (int batch = 0; batch < BATCHES && differences.isEmpty(); batch++) {
                List<String[]> sent = Stream.generate(lines::next).limit(BATCH).toList();
                sent.forEach(reference::send);
                sent.forEach(client::send);
                for (String[] line : sent) {
                    String ours = client.reply();
                    String theirs = reference.reply();
                    if (!isSame(line, ours, theirs)) {
                        differences.add(Arrays.toString(line) + ": " + ours + ", but Redis: " + theirs + " after "
                                + before(sent, line));
                    }
                }
            }
            client.line("FLUSHALL");
            reference.line("FLUSHALL");
        }
        return differences;
    }

    /** Returns the lines of a batch before one that have an argument in common with it. */
    private static List<String> before(List<String[]> sent, String[] line) {
        return sent.stream()
                .takeWhile(one -> !Arrays.equals(one, line))
                .filter(one -> Arrays.stream(one).skip(1).anyMatch(List.of(line)::contains) || one.length == 1)
                .map(Arrays::toString)
                .toList();
    }

    private static boolean isSame(String[] line, String ours, String theirs) {
        boolean time = TIMES.contains(line[0]) && isNumber(ours) && isNumber(theirs);
        if (time && Long.parseLong(theirs) > 0) {
            return Math.abs(Long.parseLong(ours) - Long.parseLong(theirs)) < CLOCKS_MILLIS;
        }
        if (line[0].equals("SCAN") && ours.startsWith("[") && theirs.startsWith("[")) {
            return true; // each has its own cursors
        }
        if (line[0].equals("DUMP") && !ours.equals("nil") && !theirs.equals("nil")) {
            return true; // Redis packs long strings
        }
        if (line[0].equals("OBJECT") && ours.equals(SHARED) && theirs.equals("1")) {
            return true; // Redis shares small integers that SET has written, and none that BITOP or APPEND has
        }
        return line[0].equals("KEYS") ? sorted(ours).equals(sorted(theirs)) : ours.equals(theirs);
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d+");
    }

    private static List<String> sorted(String keys) {
        List<String> all =
                new ArrayList<>(List.of(keys.replaceAll("[\\[\\]]", "").split(", ", -1)));
        Collections.sort(all);
        return all;
    }
}
