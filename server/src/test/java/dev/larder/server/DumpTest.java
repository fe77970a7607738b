package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps of values: those that Redis makes, and those that Redis takes. */
final class DumpTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory.resolve("larder"));
        client = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void aDumpIsRestoredUnderAnotherKey() {
        for (String value : values()) {
            client.call("SET", "k", value);
            String dump = client.call("DUMP", "k");
            assertThat(client.call("RESTORE", "copy", "0", dump, "REPLACE")).isEqualTo("OK");
            assertThat(client.call("GET", "copy")).isEqualTo(value);
        }
        assertThat(client.line("DUMP nothing")).isEqualTo("nil");
    }

    @Test
    void aTransactionDumpsALongStreamAsItIsAmongItsCommands() {
        String value = "v".repeat(1000);
        for (int i = 1; i <= 1000; i++) {
            client.call("XADD", "s", i + "-1", "f", value);
        }
        client.line("COPY s before");
        for (String line : new String[] {"MULTI", "DUMP s", "XDEL s 7-1", "DUMP s", "XLEN s"}) {
            client.line(line);
        }
        String replies = client.line("EXEC");
        assertThat(replies).isEqualTo("[" + client.line("DUMP before") + ", 1, " + client.line("DUMP s") + ", 999]");
    }

    @Test
    void optionsAreThoseOfRedis() {
        client.call("SET", "k", "10");
        String dump = client.call("DUMP", "k");
        assertThat(client.call("RESTORE", "k", "0", dump)).isEqualTo("BUSYKEY Target key name already exists.");
        assertThat(client.call("RESTORE", "endless", "9223372036854775807", dump))
                .isEqualTo("OK");
        assertThat(client.line("TTL endless")).isEqualTo("-1");
        assertThat(client.call("RESTORE", "endless", "9223372036854775807", dump, "REPLACE", "ABSTTL"))
                .isEqualTo("OK");
        assertThat(client.line("TTL endless")).isEqualTo("-1");
        assertThat(client.call("RESTORE", "k", "-1", dump, "REPLACE")).isEqualTo("ERR Invalid TTL value, must be >= 0");
        assertThat(client.call("RESTORE", "k", "5000000", dump, "REPLACE", "IDLETIME", "3"))
                .isEqualTo("OK");
        assertThat(Long.parseLong(client.line("PTTL k"))).isBetween(1L, 5_000_000L);
        String later = Long.toString(System.currentTimeMillis() + 5_000_000);
        assertThat(client.call("RESTORE", "k", later, dump, "replace", "absttl", "freq", "255"))
                .isEqualTo("OK");
        assertThat(client.line("PEXPIRETIME k")).isEqualTo(later);
        assertThat(client.call("RESTORE", "k", "1", dump, "REPLACE", "ABSTTL")).isEqualTo("OK");
        assertThat(client.line("EXISTS k")).isEqualTo("0");
        assertThat(client.call("RESTORE", "k", "0", dump, "FREQ", "256"))
                .isEqualTo("ERR Invalid FREQ value, must be >= 0 and <= 255");
        assertThat(client.call("RESTORE", "k", "0", dump, "FREQ", "1", "IDLETIME", "1"))
                .isEqualTo("ERR syntax error");
    }

    @Test
    void aDamagedDumpIsRefusedWhateverItsLength() {
        client.call("SET", "k", "abcdefghij".repeat(20));
        String dump = client.call("DUMP", "k");
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            char[] damaged = dump.substring(0, i % 2 == 0 ? dump.length() : random.nextInt(dump.length()))
                    .toCharArray();
            if (i % 2 == 0) {
                damaged[random.nextInt(damaged.length)] ^= (char) (1 << random.nextInt(8));
            }
            assertThat(client.call("RESTORE", "other", "0", new String(damaged)))
                    .isEqualTo("ERR DUMP payload version or checksum are wrong");
        }
        assertThat(client.line("EXISTS other")).isEqualTo("0");
    }

    @Test
    void redisAndLarderRestoreEachOthersDumps() throws Exception {
        try (RealRedis redis = RealRedis.start(Files.createDirectory(directory.resolve("redis")));
                TestClient reference = redis.client()) {
            for (String value : values()) {
                reference.call("SET", "k", value);
                client.call("SET", "k", value);
                assertThat(client.call("RESTORE", "a", "0", reference.call("DUMP", "k"), "REPLACE"))
                        .isEqualTo("OK");
                assertThat(client.call("GET", "a")).isEqualTo(value);
                assertThat(reference.call("RESTORE", "a", "0", client.call("DUMP", "k"), "REPLACE"))
                        .isEqualTo("OK");
                assertThat(reference.call("GET", "a")).isEqualTo(value);
                assertThat(client.line("OBJECT ENCODING k")).isEqualTo(reference.line("OBJECT ENCODING k"));
            }
            reference.line("RPUSH list a");
            assertThat(client.call("RESTORE", "b", "0", reference.call("DUMP", "list")))
                    .isEqualTo("ERR Bad data format");
        }
    }

    @Test
    void redisAndLarderRestoreEachOthersStreams() throws Exception {
        try (RealRedis redis = RealRedis.start(Files.createDirectory(directory.resolve("redis")));
                TestClient reference = redis.client()) {
            fill(reference);
            fill(client);
            for (String key : new String[] {"small", "large", "empty"}) {
                String ours = contents(client, key);
                String theirs = contents(reference, key);
                assertThat(client.call("RESTORE", "copy", "0", reference.call("DUMP", key), "REPLACE"))
                        .isEqualTo("OK");
                assertThat(contents(client, "copy")).isEqualTo(theirs);
                assertThat(reference.call("RESTORE", "copy", "0", client.call("DUMP", key), "REPLACE"))
                        .isEqualTo("OK");
                assertThat(contents(reference, "copy")).isEqualTo(ours);
            }
        }
    }

    /** Makes a stream with groups and holes, one of many entries of each length, and an empty one. */
    private static void fill(TestClient target) {
        for (int i = 1; i <= 9; i++) {
            target.line("XADD small " + i + "-0 field " + i * 1000 + (i % 3 == 0 ? " other x" : ""));
        }
        target.line("XDEL small 4-0");
        target.line("XGROUP CREATE small one 0");
        target.line("XGROUP CREATE small two 3-0");
        target.line("XREADGROUP GROUP one first COUNT 4 STREAMS small >");
        target.line("XREADGROUP GROUP one second COUNT 2 STREAMS small >");
        target.line("XACK small one 2-0");
        target.line("XTRIM small MAXLEN = 6");
        Random random = new Random(5);
        for (int i = 0; i < 400; i++) {
            String value = "v".repeat(i % 20 == 0 ? random.nextInt(40_000) : random.nextInt(100));
            target.call(
                    "XADD", "large", (1L << i % 40) + i * (1L << 41) + "-" + i, "a", value, "\u0000" + i % 7, "-" + i);
        }
        target.line("XADD empty 5-5 a b");
        target.line("XDEL empty 5-5");
    }

    private static String contents(TestClient of, String key) {
        return of.line("XINFO STREAM " + key + " FULL COUNT 0").replaceAll("radix-tree-[a-z]+, [0-9]+", "")
                + of.line("XINFO GROUPS " + key);
    }

    @Test
    void aRestoredStreamIsThereAfterARestartAndTakesEntries() {
        client.line("XADD s 1-1 a 1");
        client.line("XADD s 2-1 a 2");
        String dump = client.call("DUMP", "s");
        client.line("SET t text");
        assertThat(client.call("RESTORE", "t", "0", dump)).startsWith("BUSYKEY");
        assertThat(client.call("RESTORE", "t", "1000000", dump, "REPLACE")).isEqualTo("OK");
        fixture.restart();
        client = fixture.client();
        assertThat(client.line("XRANGE t - +")).isEqualTo("[[1-1, [a, 1]], [2-1, [a, 2]]]");
        assertThat(client.line("XADD t 2-1 a 3")).startsWith("ERR The ID specified in XADD is equal or smaller");
        assertThat(client.line("XADD t 2-2 a 3")).isEqualTo("2-2");
        assertThat(Long.parseLong(client.line("PTTL t"))).isPositive();
    }

    private static String[] values() {
        Random random = new Random(1);
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            mixed.append(random.nextInt(4) > 0 ? "pattern " : Integer.toString(random.nextInt()));
        }
        return new String[] {
            "",
            "0",
            "-1",
            "127",
            "128",
            "-128",
            "-129",
            "32767",
            "32768",
            "-32769",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "9223372036854775807",
            "01",
            "+1",
            "-0",
            "x",
            "\u0000\u00FF",
            "y".repeat(44),
            "y".repeat(45),
            "y".repeat(63),
            "ab".repeat(32),
            "abc".repeat(5000),
            "z".repeat(16_383),
            "z".repeat(16_384),
            mixed.toString()
        };
    }
}
