package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams as local code sees them: queues that it reads, and appends to through the server. */
final class LocalStreamTest {

    private static final byte[] KEY = {'s'};
    private static final int SMALL_SEGMENT_BYTES = 64 << 10;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory);
        client = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private LarderQueue queue() {
        return LarderQueue.open(
                fixture.server().streamDirectory(0, KEY).orElseThrow(),
                LogOptions.defaults()
                        .withLayout(layout -> layout.withFirstSegmentBytes(SMALL_SEGMENT_BYTES)
                                .withLargestSegmentBytes(ServerFixture.SEGMENT_BYTES))
                        .withSync(SyncPolicy.every(Duration.ofSeconds(1))));
    }

    private static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Test
    void aTailerReadsEntriesWhereTheyLie() {
        client.line("XADD s 5-1 fruit apple count 3");
        List<String> read = new ArrayList<>();
        try (LarderQueue queue = queue();
                Tailer tailer = queue.tailer()) {
            tailer.drain(
                    (segment, offset, length) -> {
                        StreamEntry entry = StreamEntry.at(segment, offset, length);
                        read.add(entry.id() + " " + entry.size());
                        entry.forEach((field, value) -> read.add(text(field) + "=" + text(value)));
                    },
                    10);
        }
        assertThat(read).containsExactly("5-1 2", "fruit=apple", "count=3");
    }

    @Test
    void anAppenderAddsEntriesAndWakesClients() {
        TestClient reader = fixture.client();
        reader.send("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
        await().until(() -> fixture.server().waitingClients() == 1);
        String id = fixture.server().appender("s").append("fruit", "apple");
        assertThat(reader.reply()).isEqualTo("[[s, [[" + id + ", [fruit, apple]]]]]");
        assertThat(client.line("XLEN s")).isEqualTo("1");
        client.line("SET text x");
        assertThatThrownBy(() -> fixture.server().appender("text").append("a", "b"))
                .hasMessageStartingWith("WRONGTYPE");
        assertThatThrownBy(() -> fixture.server().appender("s").append("a"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherAppendIsNoEntryAndIsShown() {
        client.line("XADD s 5-1 a 1");
        try (LarderQueue queue = queue()) {
            queue.append("not an entry");
        }
        client.line("XADD s 5-2 a 2");
        assertThat(client.line("XRANGE s - +")).isEqualTo("[[5-1, [a, 1]], [5-2, [a, 2]]]");
        assertThat(client.line("XLEN s")).isEqualTo("2");
        String shown = "1 messages of the queue are not entries: another program appended them";
        assertThat(client.line("XINFO STREAM s")).contains("error, " + shown);
        fixture.restart();
        client = fixture.client();
        assertThat(client.line("XINFO STREAM s")).contains("entries-added, 2").contains("error, " + shown);
        assertThat(client.line("XREVRANGE s + - COUNT 5")).isEqualTo("[[5-2, [a, 2]], [5-1, [a, 1]]]");
    }

    @Test
    void trimmingGivesSpaceBackBySegments() {
        String value = "x".repeat(2000);
        client.call("XADD", "s", "1-1", "v", value);
        Path folder = fixture.server().streamDirectory(0, KEY).orElseThrow();
        for (int i = 2; i <= 1000; i++) {
            client.send("XADD", "s", "MAXLEN", "100", i + "-1", "v", value);
        }
        for (int i = 2; i <= 1000; i++) {
            assertThat(client.reply()).isEqualTo(i + "-1");
        }
        await().until(() -> !folder.resolve("0000000000.seg").toFile().exists());
        assertThat(client.line("XLEN s")).isEqualTo("100");
        assertThat(client.line("XRANGE s - + COUNT 1")).startsWith("[[901-1, ");
        assertThat(client.line("XRANGE s 950-1 950-1")).startsWith("[[950-1, ");
        fixture.restart();
        assertThat(fixture.client().line("XREVRANGE s + - COUNT 1")).startsWith("[[1000-1, ");
        assertThat(fixture.client().line("XLEN s")).isEqualTo("100");
    }

    @Test
    void aRemovedStreamLeavesNoFolder() {
        client.line("XADD s 1-1 a b");
        client.line("XGROUP CREATE s g 0");
        client.line("XREADGROUP GROUP g c STREAMS s >");
        Path folder = fixture.server().streamDirectory(0, KEY).orElseThrow();
        client.line("DEL s");
        await().until(() -> !folder.toFile().exists());
        client.line("XADD s 1-1 c d");
        assertThat(client.line("XINFO GROUPS s")).isEqualTo("[]");
        assertThat(client.line("XRANGE s - +")).isEqualTo("[[1-1, [c, d]]]");
    }

    @Test
    void aStreamExpiresWithItsFolder() {
        client.line("XADD s 1-1 a b");
        assertThat(client.line("PEXPIRE s 1")).isEqualTo("1");
        await().until(() -> client.line("EXISTS s").equals("0"));
        client.line("XADD s 1-1 c d");
        assertThat(client.line("XRANGE s - +")).isEqualTo("[[1-1, [c, d]]]");
        assertThat(client.line("TTL s")).isEqualTo("-1");
    }

    @Test
    void aRetryOfAProducerAddsNothingAlsoAfterARestart() {
        String first = client.line("XADD s IDMP p 7 * a 1");
        assertThat(client.line("XADD s IDMP p 7 * a 1")).isEqualTo(first);
        String second = client.line("XADD s IDMPAUTO p * b 2");
        assertThat(second).isNotEqualTo(first);
        fixture.restart();
        client = fixture.client();
        assertThat(client.line("XADD s IDMP p 7 * a 1")).isEqualTo(first);
        assertThat(client.line("XADD s IDMPAUTO p * b 2")).isEqualTo(second);
        assertThat(client.line("XADD s IDMP other 7 * a 1")).isNotEqualTo(first);
        assertThat(client.line("XLEN s")).isEqualTo("3");
        assertThat(client.line("XADD s IDMP p 8 1-1 a 1")).startsWith("ERR IDMP");
        assertThat(client.line("XCFGSET s IDMP-MAXSIZE 2 IDMP-DURATION 1000")).isEqualTo("OK");
        client.line("XADD s IDMP p 1 * a 1");
        client.line("XADD s IDMP p 2 * a 1");
        client.line("XADD s IDMP p 3 * a 1");
        client.line("XADD s IDMP p 3 * a 1");
        client.line("XADD s IDMP p 1 * a 1");
        assertThat(client.line("XLEN s")).isEqualTo("7");
        assertThat(client.line("XCFGSET s IDMP-MAXSIZE 0")).startsWith("ERR IDMP-MAXSIZE");
    }

    /** Regression: the number was unknown until another entry had a greater id, and known from then on. */
    @Test
    void aProducersNumberOfAGreaterIdThanXsetidSetsIsForgotten() {
        String first = client.line("XADD s IDMP p 7 * a 1");
        assertThat(client.line("XDEL s " + first)).isEqualTo("1");
        assertThat(client.line("XSETID s 1-0")).isEqualTo("OK");
        String greater = "9" + first;
        assertThat(client.line("XADD s " + greater + " a 1")).isEqualTo(greater);
        assertThat(client.line("XADD s IDMP p 7 * a 1")).isNotEqualTo(first);
        assertThat(client.line("XLEN s")).isEqualTo("2");
    }

    @Test
    void aScanFindsStreamsToo() {
        for (int i = 0; i < 8; i++) {
            client.line("SET text:" + i + " x");
            client.line("XADD stream:" + i + " 1-1 a b");
        }
        assertThat(client.line("DBSIZE")).isEqualTo("16");
        List<String> found = new ArrayList<>();
        String cursor = "0";
        do {
            String reply = client.line("SCAN " + cursor + " TYPE stream COUNT 3");
            cursor = reply.substring(1, reply.indexOf(','));
            for (String key : reply.substring(reply.indexOf('[', 1) + 1, reply.length() - 2)
                    .split(", ", -1)) {
                if (!key.isEmpty()) {
                    found.add(key);
                }
            }
        } while (!cursor.equals("0"));
        assertThat(found).hasSize(8).allMatch(key -> key.startsWith("stream:"));
        client.line("FLUSHALL");
        assertThat(client.line("DBSIZE")).isEqualTo("0");
    }

    /** Producer and number are part of a record's key, whose length is limited. Regression: a stream without entries was left. */
    @Test
    void aProducerThatIsTooLongIsRefusedBeforeAStreamIsMade() {
        String most = "p".repeat(65_521 - 1);
        assertThat(client.call("XADD", "s", "IDMP", most + "p", "n", "*", "f", "v"))
                .startsWith("ERR a producer and its number of 65522 bytes are too long");
        assertThat(client.call("XADD", "s", "IDMP", "p", "n".repeat(66_000), "*", "f", "v"))
                .startsWith("ERR a producer and its number of 66001 bytes are too long");
        assertThat(client.call("XADD", "s", "IDMPAUTO", most, "*", "f", "v"))
                .startsWith("ERR a producer and its number of 65552 bytes are too long");
        assertThat(client.line("EXISTS s")).isEqualTo("0");
        String id = client.call("XADD", "s", "IDMP", most, "n", "*", "f", "v");
        assertThat(id).contains("-").doesNotContain(" ");
        assertThat(client.call("XADD", "s", "IDMP", most, "n", "*", "f", "v")).isEqualTo(id);
        String automatic = "p".repeat(65_521 - 32);
        assertThat(client.call("XADD", "s", "IDMPAUTO", automatic, "*", "f", "v"))
                .doesNotContain(" ");
        assertThat(client.line("XLEN s")).isEqualTo("2");
    }

    @Test
    void aNameThatIsTooLongIsRefusedBeforeAStreamIsMade() {
        String name = "n".repeat(65_536);
        String refusal = "of 65536 bytes is too long: it has at most 65535 bytes";
        assertThat(client.call("XGROUP", "CREATE", "s", name, "$", "MKSTREAM")).contains(refusal);
        assertThat(client.line("EXISTS s")).isEqualTo("0");
        client.line("XADD s 1-1 f v");
        client.line("XGROUP CREATE s g 0");
        assertThat(client.call("XGROUP", "CREATECONSUMER", "s", "g", name)).contains(refusal);
        assertThat(client.call("XREADGROUP", "GROUP", "g", name, "STREAMS", "s", ">"))
                .contains(refusal);
        assertThat(client.call("XAUTOCLAIM", "s", "g", name, "0", "0")).contains(refusal);
        assertThat(client.call("XCLAIM", "s", "g", name, "0", "1-1", "FORCE")).contains(refusal);
        assertThat(client.line("XINFO CONSUMERS s g")).isEqualTo("[]");
    }

    /** As Redis 7.0.15 does. */
    @Test
    void aLimitOfNoneNeedsTrimmingAboutAsWell() {
        String withoutAbout = "ERR syntax error, LIMIT cannot be used without the special ~ option";
        assertThat(client.line("XADD s LIMIT 0 * a b")).isEqualTo(withoutAbout);
        assertThat(client.line("XADD s MAXLEN = 10 LIMIT 0 * a b")).isEqualTo(withoutAbout);
        assertThat(client.line("XADD s MAXLEN ~ 10 LIMIT 0 1-1 a b")).isEqualTo("1-1");
        assertThat(client.line("XTRIM s LIMIT 0"))
                .isEqualTo("ERR syntax error, XTRIM must be called with a trimming strategy");
    }
}
