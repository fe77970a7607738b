package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that wait for entries of streams. */
final class BlockedReadTest {

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private ServerFixture fixture;
    private TestClient writer;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory, options -> options.withLoops(3));
        writer = fixture.client();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private TestClient blocked(String command) {
        TestClient client = fixture.client();
        int before = waiting();
        client.send(command.split(" ", -1));
        await().until(() -> waiting() == before + 1);
        return client;
    }

    private int waiting() {
        return fixture.server().waitingClients();
    }

    @Test
    void aReaderGetsWhatIsAddedNext() {
        writer.line("XADD s 1-1 a b");
        TestClient reader = blocked("XREAD BLOCK 0 STREAMS s t $ 0");
        writer.line("XADD s 1-2 c d");
        assertThat(reader.reply()).isEqualTo("[[s, [[1-2, [c, d]]]]]");
        assertThat(waiting()).isZero();
        assertThat(reader.line("PING")).isEqualTo("PONG");
    }

    @Test
    void aWaitEndsAtItsTimeAndLaterCommandsComeThen() {
        TestClient reader = fixture.client();
        reader.send("XREAD", "BLOCK", "20", "STREAMS", "s", "$");
        reader.send("PING");
        assertThat(reader.reply()).isEqualTo("nil");
        assertThat(reader.reply()).isEqualTo("PONG");
        assertThat(waiting()).isZero();
    }

    @Test
    void commandsBehindAWaitAreKept() {
        TestClient reader = blocked("XREAD BLOCK 0 STREAMS s $");
        for (int i = 0; i < 1000; i++) {
            reader.send("ECHO", "number " + i);
        }
        writer.line("XADD s 1-1 a b");
        assertThat(reader.reply()).startsWith("[[s");
        for (int i = 0; i < 1000; i++) {
            assertThat(reader.reply()).isEqualTo("number " + i);
        }
    }

    @Test
    void consumersOfAGroupAreServedInTheOrderOfTheirArrival() {
        writer.line("XGROUP CREATE s g $ MKSTREAM");
        List<TestClient> consumers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            consumers.add(blocked("XREADGROUP GROUP g c" + i + " BLOCK 0 STREAMS s >"));
        }
        for (int i = 0; i < 5; i++) {
            writer.line("XADD s 1-" + (i + 1) + " n " + i);
            assertThat(consumers.get(i).reply()).isEqualTo("[[s, [[1-" + (i + 1) + ", [n, " + i + "]]]]]");
        }
        assertThat(writer.line("XPENDING s g")).startsWith("[5, 1-1, 1-5, [[c0, 1], [c1, 1]");
    }

    @Test
    void aTransactionServesThemOnceAndNeverWaits() {
        TestClient reader = blocked("XREAD BLOCK 0 STREAMS s 0");
        writer.line("MULTI");
        writer.line("XADD s 1-1 a 1");
        writer.line("XADD s 1-2 a 2");
        writer.line("XREAD BLOCK 0 STREAMS nothing 0");
        assertThat(writer.line("EXEC")).isEqualTo("[1-1, 1-2, nil]");
        assertThat(reader.reply()).isEqualTo("[[s, [[1-1, [a, 1]], [1-2, [a, 2]]]]]");
    }

    /** As Redis: the client waited for an entry, one was added, and it is gone before the client could be served. */
    @Test
    void anEntryThatIsRemovedAtOnceEndsTheWaitWithNoEntries() {
        for (String added :
                List.of("XADD s MAXLEN 0 1-1 a b", "XADD s MINID 9 1-1 a b", "MULTI|XADD s 1-1 a b|XDEL s 1-1|EXEC")) {
            for (String start : List.of("0-5", "$")) {
                writer.line("DEL s");
                writer.line("XADD s 0-5 a b");
                TestClient reader = blocked("XREAD COUNT 7 BLOCK 0 STREAMS t s $ " + start);
                for (String line : added.split("[|]", -1)) {
                    writer.line(line);
                }
                assertThat(reader.reply()).as(added).isEqualTo("[[s, []]]");
                assertThat(waiting()).isZero();
                assertThat(reader.line("XREAD STREAMS s 1-0")).as("not a wait").isEqualTo("nil");
            }
        }
        TestClient later = blocked("XREAD BLOCK 0 STREAMS s 5-0");
        writer.line("XADD s MAXLEN 0 4-9 a b");
        assertThat(waiting()).as("the client waits for greater ids").isOne();
        writer.line("XADD s MAXLEN 0 5-1 a b");
        assertThat(later.reply()).isEqualTo("[[s, []]]");
    }

    @Test
    void consumersHearOfAnEntryThatIsRemovedAtOnceAndTheirGroupHasNotReadIt() {
        writer.line("XGROUP CREATE s g $ MKSTREAM");
        List<TestClient> consumers = new ArrayList<>();
        for (String rest : List.of("a", "b NOACK", "c COUNT 2")) {
            consumers.add(blocked("XREADGROUP GROUP g " + rest + " BLOCK 0 STREAMS s >"));
        }
        writer.line("XADD s MAXLEN 0 1-1 a b");
        consumers.forEach(consumer -> assertThat(consumer.reply()).isEqualTo("[[s, []]]"));
        assertThat(writer.line("XINFO GROUPS s"))
                .startsWith("[[name, g, consumers, 3, pending, 0, last-delivered-id, 0-0,");
        assertThat(writer.line("XREADGROUP GROUP g a STREAMS s >")).isEqualTo("nil");
    }

    @Test
    void aLastIdThatIsSetIsNoEntry() {
        writer.line("XADD s 1-1 a b");
        TestClient reader = blocked("XREAD BLOCK 0 STREAMS s $");
        writer.line("XSETID s 5-0");
        assertThat(waiting()).isOne();
        writer.line("XADD s 5-1 c d");
        assertThat(reader.reply()).isEqualTo("[[s, [[5-1, [c, d]]]]]");
    }

    @Test
    void aStreamThatComesEmptyByRenameEndsTheWait() {
        writer.line("XADD other 3-1 a b");
        writer.line("XTRIM other MAXLEN 0");
        TestClient reader = blocked("XREAD BLOCK 0 STREAMS s 0");
        writer.line("RENAME other s");
        assertThat(reader.reply()).isEqualTo("[[s, []]]");
    }

    @Test
    void whoIsGoneGetsNothing() {
        writer.line("XGROUP CREATE s g $ MKSTREAM");
        blocked("XREADGROUP GROUP g gone BLOCK 0 STREAMS s >").close();
        await().until(() -> waiting() == 0);
        writer.line("XADD s 1-1 a b");
        assertThat(writer.line("XPENDING s g")).isEqualTo("[0, nil, nil, nil]");
    }

    @Test
    void aGroupThatGoesEndsTheWait() {
        writer.line("XGROUP CREATE s g $ MKSTREAM");
        TestClient first = blocked("XREADGROUP GROUP g c BLOCK 0 STREAMS s >");
        writer.line("XGROUP DESTROY s g");
        assertThat(first.reply()).isEqualTo("NOGROUP the consumer group this client was blocked on no longer exists");
        for (String end : List.of("DEL s", "SET s x", "FLUSHALL", "RENAME s other")) {
            writer.line("DEL s");
            writer.line("XGROUP CREATE s g $ MKSTREAM");
            TestClient client = blocked("XREADGROUP GROUP g c BLOCK 0 STREAMS s >");
            writer.line(end);
            assertThat(client.reply()).as(end).isEqualTo("UNBLOCKED the stream key no longer exists");
        }
    }

    @Test
    void aReaderWaitsOnWhileTheKeyIsAnotherThing() {
        TestClient reader = blocked("XREAD BLOCK 0 STREAMS s 0");
        writer.line("SET s text");
        writer.line("DEL s");
        assertThat(waiting()).isOne();
        writer.line("XADD made 1-1 a b");
        writer.line("RENAME made s");
        assertThat(reader.reply()).isEqualTo("[[s, [[1-1, [a, b]]]]]");
    }

    @Test
    void manyWaitersOfManyLoopsGetEachEntryOnce() {
        writer.line("XGROUP CREATE s g $ MKSTREAM");
        List<TestClient> consumers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            consumers.add(blocked("XREADGROUP GROUP g c" + i + " COUNT 1 BLOCK 0 STREAMS s >"));
        }
        for (int i = 0; i < 20; i++) {
            writer.send("XADD", "s", "1-" + (i + 1), "n", Integer.toString(i));
        }
        List<String> got = new ArrayList<>();
        consumers.forEach(consumer -> got.add(consumer.reply()));
        assertThat(got).doesNotHaveDuplicates().allMatch(reply -> reply.startsWith("[[s, [[1-"));
    }

    /** No command asks for the key: the thread that looks for expired keys ends the wait. */
    @Test
    void aConsumerHearsThatItsStreamHasExpired() {
        writer.line("XGROUP CREATE s g $ MKSTREAM");
        TestClient consumer = blocked("XREADGROUP GROUP g c BLOCK 0 STREAMS s >");
        assertThat(writer.line("PEXPIRE s 1")).isEqualTo("1");
        assertThat(consumer.reply()).isEqualTo("UNBLOCKED the stream key no longer exists");
        assertThat(waiting()).isZero();
    }
}
