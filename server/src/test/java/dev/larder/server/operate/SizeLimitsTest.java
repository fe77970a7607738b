package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The longest value and the largest stream entry are a quarter of a segment. Each command refuses one byte more. */
final class SizeLimitsTest {

    private static final int SEGMENT_BYTES = 2 << 20;
    private static final int VALUE_MAX_BYTES = SEGMENT_BYTES / 4 - (65 << 10) + 1;
    private static final int ENTRY_MAX_BYTES = SEGMENT_BYTES / 4 - (1 << 10);

    /** What an entry of one field takes besides the field and its value. */
    private static final int ENTRY_FRAME_BYTES = 24 + 2 * 4;

    private static final String TOO_LONG = "ERR string exceeds maximum allowed size (proto-max-bulk-len)";
    private static final String KEY = "k".repeat(65_535);
    private static final String MOST = "x".repeat(VALUE_MAX_BYTES);

    @TempDir
    private Path directory;

    private LarderServer server;
    private TestClient client;

    @BeforeEach
    void start() {
        server = LarderServer.start(Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("io-threads", "1")
                .with("segment-size", Integer.toString(SEGMENT_BYTES)));
        client = new TestClient(server.port());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void aValueHasNoMoreThanTheLimit() {
        assertThat(client.call("SET", KEY, MOST)).isEqualTo("OK");
        for (List<String> command : List.of(
                List.of("SET", KEY),
                List.of("SETNX", "new"),
                List.of("GETSET", KEY),
                List.of("SETEX", KEY, "100"),
                List.of("MSET", "new", "1", KEY))) {
            String[] arguments =
                    Stream.concat(command.stream(), Stream.of(MOST + "x")).toArray(String[]::new);
            assertThat(client.call(arguments)).as("%s", command.getFirst()).isEqualTo(TOO_LONG);
        }
        assertThat(client.call("GET", KEY)).isEqualTo(MOST);
        assertThat(client.line("DBSIZE")).isEqualTo("1");
    }

    @Test
    void aValueGrowsToTheLimitAndNoFurther() {
        assertThat(client.call("SET", KEY, MOST.substring(2))).isEqualTo("OK");
        assertThat(client.call("APPEND", KEY, "yz")).isEqualTo(Integer.toString(VALUE_MAX_BYTES));
        assertThat(client.call("APPEND", KEY, "!")).isEqualTo(TOO_LONG);
        assertThat(client.call("GET", KEY)).isEqualTo(MOST.substring(2) + "yz");
    }

    @Test
    void aRangeEndsAtTheLimit() {
        String last = Integer.toString(VALUE_MAX_BYTES - 1);
        assertThat(client.call("SETRANGE", KEY, last, "y")).isEqualTo(Integer.toString(VALUE_MAX_BYTES));
        assertThat(client.call("SETRANGE", KEY, last, "yz")).isEqualTo(TOO_LONG);
        assertThat(client.call("SETRANGE", KEY, Long.toString(Long.MAX_VALUE), "y"))
                .isEqualTo(TOO_LONG);
        assertThat(client.call("GET", KEY)).isEqualTo("\0".repeat(VALUE_MAX_BYTES - 1) + "y");
    }

    @Test
    void aBitLiesWithinTheLimit() {
        long bits = 8L * VALUE_MAX_BYTES;
        assertThat(client.call("SETBIT", KEY, Long.toString(bits - 1), "1")).isEqualTo("0");
        assertThat(client.call("SETBIT", KEY, Long.toString(bits), "1")).startsWith("ERR ");
        assertThat(client.call("STRLEN", KEY)).isEqualTo(Integer.toString(VALUE_MAX_BYTES));
    }

    @Test
    void anEntryHasNoMoreThanTheLimit() {
        String most = "v".repeat(ENTRY_MAX_BYTES - ENTRY_FRAME_BYTES - 1);
        for (String stream : List.of("new", "new", KEY)) {
            assertThat(client.call("XADD", stream, "*", "f", most + "v"))
                    .isEqualTo("ERR Elements are too large to be stored");
            assertThat(client.call("XADD", stream, "*", "f", most)).matches("\\d+-\\d+");
        }
        assertThat(client.line("XLEN new")).isEqualTo("2");
        assertThat(client.line("XREVRANGE new + - COUNT 1")).hasSizeGreaterThan(most.length());
    }
}
