package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.stripe.StoreStripe;
import dev.larder.array.stripe.StripeContent;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An array that has large values in the stores alone keeps each of them, through restarts and on members that were away. */
@Tag(Effort.QUIET)
final class ValuesOnceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TAG = "{a}";
    private static final int STRIPE = TestArray.stripe(TAG);
    private static final int AWAY = (STRIPE + 2) % TestArray.NODES;
    private static final String MARKER = "a-text-that-no-file-has-by-itself-";

    @TempDir
    private Path directory;

    private final Map<String, String> written = new TreeMap<>();

    private TestArray array;

    @BeforeEach
    void start() {
        array = new TestArray(directory, TestArray.NODES, CatchUp.defaults(), true);
        array.awaitLeaders();
    }

    @AfterEach
    void stop() {
        array.close();
    }

    private static String value(int number) {
        return (MARKER + number + ".").repeat(60);
    }

    private void write(int from, int to) {
        try (RespClient client = array.client(array.leader(TAG))) {
            List<String> lines = new ArrayList<>();
            for (int number = from; number < to; number++) {
                lines.add("SET " + TAG + number + " " + value(number));
                lines.add("SET " + TAG + "small" + number + " " + number);
                lines.add("APPEND " + TAG + "grown " + number);
                written.put(TAG + number, value(number));
                written.put(TAG + "small" + number, Integer.toString(number));
                written.merge(TAG + "grown", Integer.toString(number), String::concat);
            }
            client.pipeline(lines).forEach(reply -> assertThat(reply).matches("OK|\\d+"));
        }
    }

    private void requireAll() {
        try (RespClient client = array.client(array.leader(TAG))) {
            written.forEach((key, value) ->
                    assertThat(client.call("GET " + key)).as(key).isEqualTo(value));
        }
        await().atMost(PATIENCE).until(array::isEqual);
    }

    /** Returns how often a value occurs in the files of a folder. */
    private static int times(Path folder, int number) throws IOException {
        int times = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                for (int at = text.indexOf(value(number)); at >= 0; at = text.indexOf(value(number), at + 1)) {
                    times++;
                }
            }
        }
        return times;
    }

    @Test
    void shouldKeepEachValueThatIsWrittenToTheStoresAlone() throws IOException {
        write(0, 100);
        array.stop(AWAY);
        write(100, 200);
        array.start(AWAY); // the leader reads the values that this member lacks
        requireAll();
        for (int node = 0; node < TestArray.NODES; node++) {
            array.stop(node);
            array.start(node);
        }
        requireAll();
        write(150, 250);
        requireAll();
        array.close();
        for (int node = 0; node < TestArray.NODES; node++) {
            ArrayOptions options = array.options(node);
            assertThat(times(options.directory().resolve("raft"), 249)).isZero();
            assertThat(times(options.directory().resolve("stripes"), 249)).isEqualTo(1);
            try (StoreStripe stripe = StoreStripe.open(
                    StoreFiles.store(options, STRIPE),
                    options.segmentBytes(),
                    InstantSource.system(),
                    () -> {},
                    cause -> {})) {
                assertThat(StripeContent.of(stripe)).hasSameSizeAs(written);
            }
        }
    }
}
