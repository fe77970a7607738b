package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps of values: those of Redis, and those that Redis takes. */
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
    void optionsAreThoseOfRedis() {
        client.call("SET", "k", "10");
        String dump = client.call("DUMP", "k");
        assertThat(client.call("RESTORE", "k", "0", dump)).isEqualTo("BUSYKEY Target key name already exists.");
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
