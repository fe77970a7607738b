package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.memory.StorageException;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.WaitingClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command with an internal failure has one error for its reply, and does not affect the commands behind it. */
@Timeout(60)
final class FailedCommandTest {

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private LarderServer server;
    private TestClient client;

    /** A database whose keys may be on a part of the disk that cannot be read, or for which there is no room. */
    private static final class FailingDatabase extends DelegatingDatabase {

        private boolean prepared;
        private boolean threadless;
        private int makes;

        FailingDatabase(Database inner) {
            super(inner);
        }

        private static boolean isAbout(Call call, String key) {
            return call.request().count() > 1 && call.request().text(1).equals(key);
        }

        private static void read(Call call) {
            if (isAbout(call, "unreadable")) {
                call.reply().array(3);
                call.reply().text("first");
                throw new StorageException("the second cannot be read");
            }
            if (isAbout(call, "wrong")) {
                call.reply().array(3);
                throw new IllegalStateException("a mistake");
            }
        }

        @Override
        public boolean run(Call call) {
            if (isAbout(call, "threadless")) {
                threadless = true;
                throw new NotReadyException(() -> {}, false);
            }
            if (isAbout(call, "cold") && !prepared) {
                prepared = true;
                throw new NotReadyException(() -> {}, false);
            }
            if (isAbout(call, "broken") && !prepared) {
                prepared = true;
                throw new NotReadyException(() -> {}, false);
            }
            if (isAbout(call, "broken")) {
                call.reply().array(2);
                throw new OutOfMemoryError("no memory for it");
            }
            if (isAbout(call, "unmade") && makes++ > 0) {
                throw new StorageException("there is no room for it");
            }
            if (isAbout(call, "kept")) {
                WaitingClient session = Objects.requireNonNull(call.client());
                call.reply().text(session.takeKept() == null ? "nothing" : "a stream");
                return false;
            }
            if (isAbout(call, "cold")) {
                call.reply().array(2);
                throw new StorageException("it cannot be read");
            }
            read(call);
            return super.run(call.command().name().equals("xread") ? failingOnceItHasWaited(call) : call);
        }

        private static Call failingOnceItHasWaited(Call call) {
            boolean lacksMemory = isAbout(call, "COUNT");
            return new Call(
                    call.command(),
                    execution -> {
                        if (execution.hasWaited() && lacksMemory) {
                            throw new OutOfMemoryError("no memory for the entry");
                        }
                        if (execution.hasWaited()) {
                            execution.reply().array(1);
                            throw new StorageException("the entry cannot be read");
                        }
                        call.handler().run(execution);
                    },
                    call.request(),
                    call.database(),
                    call.reply(),
                    call.client());
        }

        @Override
        public void prepare(NotReadyException met, List<Upcoming> next, Commit done) {
            if (threadless) {
                threadless = false;
                throw new IllegalStateException("no thread can be started");
            }
            super.prepare(met, next, done);
        }

        @Override
        public void runWithin(Call call) {
            read(call);
            super.runWithin(call);
        }

        @Override
        public boolean transact(
                List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body) {
            if (calls.stream().anyMatch(call -> isAbout(call, "full"))) {
                throw new NotReadyException(
                        () -> {
                            throw new ReplyException("OOM there is no room");
                        },
                        false);
            }
            return super.transact(calls, watched, mayRun, reply, body);
        }
    }

    @BeforeEach
    void start() {
        server = LarderServer.start(
                ServerOptions.of(directory).withPort(0).withLoops(2).withSegmentBytes(4 << 20), FailingDatabase::new);
        client = new TestClient(server.port());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private List<String> pipelined(String... lines) {
        for (String line : lines) {
            client.send(line.split(" ", -1));
        }
        return Stream.of(lines).map(line -> client.reply()).toList();
    }

    @Test
    void whatACommandHasWrittenOfItsReplyIsTakenBack() {
        assertThat(pipelined("SET k v", "GET unreadable", "GET k", "GET wrong", "GET cold", "PING"))
                .containsExactly(
                        "OK",
                        "ERR the second cannot be read",
                        "v",
                        "ERR internal error: java.lang.IllegalStateException: a mistake",
                        "ERR it cannot be read",
                        "PONG");
    }

    @Test
    void aCommandThatNobodyCanPrepareFailsAndTheNextOneRuns() {
        assertThat(pipelined("GET threadless", "PING", "SET k v", "GET k"))
                .containsExactly(
                        "ERR internal error: java.lang.IllegalStateException: no thread can be started",
                        "PONG",
                        "OK",
                        "v");
    }

    @Test
    void theOtherCommandsOfATransactionReply() {
        assertThat(pipelined("MULTI", "SET k v", "GET unreadable", "GET wrong", "GET k", "EXEC", "PING"))
                .endsWith(
                        "[OK, ERR the second cannot be read, ERR internal error: java.lang.IllegalStateException: a"
                                + " mistake, v]",
                        "PONG");
    }

    @Test
    void aClientThatWaitsForAKeyHasItsOwnErrors() {
        try (TestClient other = new TestClient(server.port())) {
            client.send("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
            await().until(() -> other.line("INFO clients").contains("blocked_clients:1"));
            assertThat(other.line("XADD s 1-1 f v")).isEqualTo("1-1");
            assertThat(client.reply()).isEqualTo("ERR the entry cannot be read");
            assertThat(client.line("PING")).isEqualTo("PONG");
            assertThat(other.line("XADD s 1-2 f v")).isEqualTo("1-2");
        }
    }

    /**
     * The transaction holds the slot while it serves the client. If it kept the slot, no other client could use the key any more.
     */
    @Test
    void aTransactionThatServesAClientInVainLeavesTheKeyToOthers() {
        try (TestClient other = new TestClient(server.port());
                TestClient third = new TestClient(server.port())) {
            client.send("XREAD", "COUNT", "1", "BLOCK", "0", "STREAMS", "s", "$");
            await().until(() -> other.line("INFO clients").contains("blocked_clients:1"));
            other.line("MULTI");
            other.line("XADD s 1-1 f v");
            assertThat(other.line("EXEC")).isEqualTo("[1-1]");
            assertThat(third.line("XADD s 1-2 f v")).isEqualTo("1-2");
            assertThat(client.reply())
                    .isEqualTo("ERR internal error: java.lang.OutOfMemoryError: no memory for the entry");
            assertThat(server.waitingClients()).isZero();
        }
    }

    /** The client neither waits for ever nor gets a part of a reply. */
    @Test
    void anErrorOfACommandThatHasWaitedClosesTheConnection() {
        assertThat(client.line("GET broken")).isEqualTo("closed");
        try (TestClient other = new TestClient(server.port())) {
            assertThat(other.line("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aRestoreThatFailsLeavesNothingToTheNextOne() {
        client.line("XADD s 1-1 f one");
        String one = client.line("DUMP s");
        client.line("XADD t 2-2 f two");
        String two = client.line("DUMP t");
        assertThat(client.call("RESTORE", "unmade", "0", one)).isEqualTo("ERR there is no room for it");
        assertThat(client.line("GET kept")).isEqualTo("nothing");
        assertThat(client.call("RESTORE", "made", "0", two)).isEqualTo("OK");
        assertThat(client.line("XRANGE made - +")).isEqualTo("[[2-2, [f, two]]]");
        assertThat(client.line("DBSIZE")).isEqualTo("3");
    }

    @Test
    void aTransactionThatIsGivenUpWatchesNothingAnyMore() {
        assertThat(pipelined("WATCH k", "MULTI", "SET full v", "EXEC", "SET k v", "MULTI", "GET k", "EXEC"))
                .containsExactly(
                        "OK",
                        "OK",
                        "QUEUED",
                        "EXECABORT Transaction discarded because of: OOM there is no room",
                        "OK",
                        "OK",
                        "QUEUED",
                        "[v]");
    }
}
