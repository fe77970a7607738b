package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Execution;
import dev.larder.server.command.Handler;
import dev.larder.server.store.StoreOptions;
import dev.larder.tests.support.OtherThread;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A read beside a change of several steps sees the whole change or none of it, whenever the read comes. */
@Timeout(60)
final class IsolationTest {

    private static final long READS = 100;

    @TempDir
    private Path directory;

    private LocalStores stores;
    private LocalDatabase.Shared shared;

    @BeforeEach
    void open() {
        stores = LocalStores.open(directory, 2, StoreOptions.defaults().withSegmentBytes(4 << 20));
        shared = new LocalDatabase.Shared(stores, false);
    }

    @AfterEach
    void close() {
        try (LocalStores closed = stores) {
            shared.close();
            closed.sync();
        }
    }

    private static Call call(String line) {
        return call(line, null);
    }

    private static Call call(String line, @Nullable Handler instead) {
        List<byte[]> arguments = Arrays.stream(line.split(" ", -1))
                .map(part -> part.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
        Request request = Request.of(arguments);
        Command command = Objects.requireNonNull(CommandTable.standard().find(request), line);
        Handler handler = instead == null ? Objects.requireNonNull(Commands.handler(command), line) : instead;
        return new Call(command, handler, request, 0, new ReplyEncoder(new ReplyBuffer()));
    }

    private static String reply(Call call) {
        byte[] bytes = ((ReplyBuffer) call.reply().output()).toByteArray();
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .replace("\r\n", " ")
                .trim();
    }

    private String run(String line) {
        Call call = call(line);
        new LocalDatabase(shared).run(call);
        return reply(call);
    }

    /** Runs commands as a transaction, and {@code between} after the first of them. */
    private void transact(List<String> lines, Runnable between) {
        LocalDatabase database = new LocalDatabase(shared);
        List<Call> calls = lines.stream().map(IsolationTest::call).toList();
        database.transact(calls, List.of(), call -> true, new ReplyEncoder(new ReplyBuffer()), () -> {
            for (int i = 0; i < calls.size(); i++) {
                database.runWithin(calls.get(i));
                if (i == 0) {
                    between.run();
                }
            }
        });
    }

    /** Starts reads in a thread of their own, and returns once they have all replies, or wait for a lock. */
    private Thread start(List<String> reads, List<String> replies) {
        Thread reader = Thread.ofPlatform()
                .start(() -> reads.forEach(read -> {
                    String reply = run(read);
                    synchronized (replies) {
                        replies.add(reply);
                    }
                }));
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> reader.getState() == Thread.State.WAITING || reader.getState() == Thread.State.TERMINATED);
        return reader;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INCR k             | INCR k             | GET k         | $1 2",
                "SET k v            | DEL k              | EXISTS k      | :0",
                "SET k v            | DEL k              | GET k         | $-1",
                "SET a 1            | SET b 1            | MGET a b      | *2 $1 1 $1 1",
                "SET a 1            | SET b 1            | DBSIZE        | :2",
                "XADD k 1 f v       | XADD k 2 f v       | XLEN k        | :2",
                "XADD k 1 f v       | XADD k 2 f v       | XRANGE k 2 2  | *1 *2 $3 2-0 *2 $1 f $1 v",
                "XADD k 1 f v       | DEL k              | TYPE k        | +none",
                "XADD k 1 f v       | SET k v            | TYPE k        | +string",
                "SET k v            | APPEND k w         | STRLEN k      | :2",
                "SET k v            | EXPIREAT k 2000000000 | EXPIRETIME k | :2000000000",
            })
    void aReadWaitsForTheEndOfATransaction(String first, String second, String read, String expected) throws Exception {
        List<String> replies = new ArrayList<>();
        Thread[] reader = new Thread[1];
        transact(List.of(first, second), () -> reader[0] = start(List.of(read), replies));
        reader[0].join();
        assertThat(replies).containsExactly(expected);
    }

    @Test
    void whoHasSeenOneKeyOfATransactionSeesTheOther() throws Exception {
        List<String> replies = new ArrayList<>();
        Thread[] reader = new Thread[1];
        transact(
                List.of("SET a new", "SET b new", "SET c new"),
                () -> reader[0] = start(List.of("GET a", "GET b", "GET c"), replies));
        reader[0].join();
        assertThat(replies).containsExactly("$3 new", "$3 new", "$3 new");
    }

    @Test
    void aReadOfAnotherKeyDoesNotWait() throws Exception {
        List<String> replies = new ArrayList<>();
        transact(
                List.of("INCR k", "INCR k"),
                () -> assertThat(start(List.of("GET other"), replies).getState())
                        .isEqualTo(Thread.State.TERMINATED));
        assertThat(replies).containsExactly("$-1");
    }

    /** A read that looks at its key twice. In its first run, a change comes between the two looks. */
    private static final class OvertakenRead implements Handler {

        private final Runnable change;
        private int runs;

        OvertakenRead(Runnable change) {
            this.change = change;
        }

        @Override
        public void run(Execution execution) {
            runs++;
            execution.reply().array(2);
            execution.reply().integer(execution.read(execution.argument(1)));
            if (runs == 1) {
                Thread changing = Thread.ofPlatform().start(change);
                try {
                    changing.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            execution.reply().integer(execution.read(execution.argument(1)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void aReadThatAChangeHasOvertakenIsRunAgain(int earlierReplies) {
        run("SET k 1");
        OvertakenRead read = new OvertakenRead(() -> transact(List.of("APPEND k 2", "APPEND k 3"), () -> {}));
        Call call = call("GET k", read);
        for (int i = 0; i < earlierReplies; i++) {
            call.reply().ok();
        }
        new LocalDatabase(shared).run(call);
        assertThat(read.runs).isEqualTo(2);
        assertThat(reply(call)).isEqualTo("+OK ".repeat(earlierReplies) + "*2 :3 :3");
        assertThat(call.reply().errors()).isZero();
    }

    @Test
    void anErrorOfAReadThatWasOvertakenIsForgotten() {
        run("XADD k 1 f v");
        OvertakenRead read = new OvertakenRead(() -> transact(List.of("SET k 12", "APPEND k 3"), () -> {}));
        Call call = call("GET k", execution -> {
            try {
                read.run(execution);
            } catch (RuntimeException e) {
                if (read.runs == 1) {
                    read.change.run();
                }
                throw e;
            }
        });
        new LocalDatabase(shared).run(call);
        assertThat(reply(call)).isEqualTo("*2 :3 :3");
        assertThat(call.reply().errors()).isZero();
    }

    /** One command that does more than one thing to a key, or moves it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET k 1        | MOVE k 1          | *2 :-1 :-1",
                "SET k 1        | RENAME k j        | *2 :-1 :-1",
                "SET k 1        | MSET k 12 j 12    | *2 :2 :2",
                "SET k 1        | SWAPDB 0 1        | *2 :-1 :-1",
                "SET k 1        | FLUSHALL          | *2 :-1 :-1",
            })
    void commandsOfSeveralStepsOvertakeNoRead(String before, String change, String expected) {
        run(before);
        OvertakenRead read = new OvertakenRead(() -> run(change));
        Call call = call("GET k", read);
        new LocalDatabase(shared).run(call);
        assertThat(reply(call)).isEqualTo(expected);
        assertThat(read.runs).isEqualTo(2);
    }

    /** Several threads at once: no reader ever sees a number that is odd, or two keys that differ. */
    @Test
    void readsBesideTransactionsOfOtherThreadsSeeThemWhole() {
        CountDownLatch writers = new CountDownLatch(2);
        AtomicLong transactions = new AtomicLong();
        AtomicLong reads = new AtomicLong();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(OtherThread.run(() -> {
                try {
                    transactBesideReads(transactions, reads);
                } finally {
                    writers.countDown();
                }
            }));
            threads.add(OtherThread.run(() -> {
                while (writers.getCount() > 0) {
                    requireWhole(number(run("GET k")), number(run("GET j")));
                    reads.incrementAndGet();
                }
            }));
        }
        threads.forEach(CompletableFuture::join);
        assertThat(reads).hasValueGreaterThanOrEqualTo(READS);
        assertThat(run("GET k")).endsWith(" " + 2 * transactions.get());
    }

    /** Runs at least 500 transactions, and more until there were enough reads beside them. */
    private void transactBesideReads(AtomicLong transactions, AtomicLong reads) {
        for (int n = 0; n < 500 || (reads.get() < READS && n < 1_000_000); n++) {
            transact(List.of("INCR k", "INCR k", "INCR j"), () -> {});
            transactions.incrementAndGet();
        }
    }

    private static void requireWhole(long k, long j) {
        assertThat(k % 2).as("%s and then %s", k, j).isZero();
        assertThat(2 * j).isGreaterThanOrEqualTo(k);
    }

    private static long number(String reply) {
        return reply.equals("$-1") ? 0 : Long.parseLong(reply.substring(reply.indexOf(' ') + 1));
    }

    /** Regression: a key that expired between two steps of a command lost its lifetime, and stayed for ever. */
    @Test
    void aCommandHasOneTime() {
        close();
        long end = Instant.parse("2031-05-01T00:00:00Z").toEpochMilli();
        AtomicLong now = new AtomicLong(end);
        AtomicBoolean steps = new AtomicBoolean();
        StoreOptions options = StoreOptions.defaults()
                .withSegmentBytes(4 << 20)
                .withClock(() -> Instant.ofEpochMilli(steps.get() ? now.getAndIncrement() : now.get()));
        stores = LocalStores.open(directory.resolve("stepping"), 2, options);
        shared = new LocalDatabase.Shared(stores, false);
        for (String line : List.of(
                "INCR a",
                "INCRBYFLOAT a 1",
                "APPEND a x",
                "SETRANGE a 1 9",
                "SETBIT a 15 1",
                "BITFIELD a SET u8 8 65",
                "SET a 1v XX KEEPTTL",
                "RENAME a b",
                "RENAMENX a b",
                "COPY a b REPLACE",
                "RENAME s b",
                "COPY s b REPLACE")) {
            for (int before = 1; before < 8; before++) {
                now.set(end - 1000);
                run("DEL a b s");
                run("SET a 10 PXAT " + end);
                run("XADD s 1-1 f v");
                run("PEXPIREAT s " + end);
                now.set(end - before);
                steps.set(true);
                run(line);
                steps.set(false);
                now.set(end - 1000);
                for (String key : List.of("a", "b")) {
                    boolean isKept = run("TYPE " + key).equals("+stream")
                            || run("GET " + key).matches("\\$\\d+ 1.+"); // else the command made a new key
                    assertThat(isKept ? run("PEXPIRETIME " + key) : ":" + end)
                            .as("%s, %d ms before the end", line, before)
                            .isEqualTo(":" + end);
                }
            }
        }
    }
}
