package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.ReplyEncoder;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions whose commands find records that are not in memory, or no room yet. Every command takes effect, once and in order. */
@Timeout(300)
final class LoopTest {

    private static final int CLIENTS = 6;
    private static final int PIPELINE = 60;

    @TempDir
    private Path directory;

    private final LongAdder refused = new LongAdder();

    /** A database that is often not ready: the test answers whether a record is in memory. */
    private final class UnreadyDatabase extends DelegatingDatabase {

        private boolean patient;

        UnreadyDatabase(Database inner) {
            super(inner);
        }

        private void mayRefuse() {
            if (!patient && ThreadLocalRandom.current().nextInt(3) == 0) {
                refused.increment();
                throw new NotReadyException(
                        () -> LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(200_000)),
                        ThreadLocalRandom.current().nextBoolean());
            }
        }

        @Override
        public boolean run(Call call) {
            mayRefuse();
            return super.run(call);
        }

        @Override
        public boolean transact(
                List<Call> calls, List<Watched> watched, Predicate<Call> mayRun, ReplyEncoder reply, Runnable body) {
            mayRefuse();
            return super.transact(calls, watched, mayRun, reply, body);
        }

        @Override
        public void patiently(Runnable commands) {
            patient = true;
            try {
                super.patiently(commands);
            } finally {
                patient = false;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void commandsOfASessionTakeEffectInTheirOrder(boolean always) throws Exception {
        ServerOptions options = ServerOptions.of(directory)
                .withPort(0)
                .withLoops(3)
                .withSegmentBytes(4 << 20)
                .withDurability(always ? Durability.ofEveryWrite() : Durability.none());
        int rounds = Effort.of(4, 10, 400);
        List<Callable<List<Long>>> sessions = new ArrayList<>();
        try (LarderServer server = LarderServer.start(options, UnreadyDatabase::new);
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                sessions.add(() -> new PipelinedSession(server.port(), number).run(rounds));
            }
            BitSet counted = new BitSet();
            int count = 0;
            for (Future<List<Long>> session : threads.invokeAll(sessions)) {
                for (long value : session.get()) {
                    counted.set((int) value);
                    count++;
                }
            }
            assertThat(counted.cardinality()).isEqualTo(count);
            assertThat(counted.length()).isEqualTo(count + 1);
            assertThat(refused.sum()).isPositive();
        }
    }

    /** A client that sends many commands before it reads their replies, and knows what each of them must be. */
    private static final class PipelinedSession {

        private final int port;
        private final String own;
        private final Random random;
        private final List<Long> counts = new ArrayList<>();
        private String value = "nil";
        private long transactions;

        PipelinedSession(int port, int number) {
            this.port = port;
            this.own = "own" + number;
            this.random = new Random(number);
        }

        /** Returns the values that INCR of the common key has replied. */
        List<Long> run(int rounds) {
            try (TestClient client = new TestClient(port)) {
                for (int round = 0; round < rounds; round++) {
                    List<String> expected = new ArrayList<>();
                    for (int i = 0; i < PIPELINE; i++) {
                        send(client, expected, round + "." + i);
                    }
                    for (String reply : expected) {
                        check(reply, client.reply());
                    }
                }
            }
            return counts;
        }

        private void check(String expected, String reply) {
            if (expected.equals("count")) {
                long count = Long.parseLong(reply);
                assertThat(counts.isEmpty() || counts.getLast() < count).isTrue();
                counts.add(count);
            } else {
                assertThat(reply).isEqualTo(expected);
            }
        }

        private void send(TestClient client, List<String> expected, String next) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    client.send("INCR", "common");
                    expected.add("count");
                }
                case 1 -> {
                    client.send("SET", own, next);
                    expected.add("OK");
                    value = next;
                }
                case 2 -> {
                    client.send("GETSET", own, next);
                    expected.add(value);
                    value = next;
                }
                case 3 -> {
                    client.send("MGET", own, own);
                    expected.add("[" + value + ", " + value + "]");
                }
                case 4 -> {
                    client.send("MULTI");
                    client.send("INCR", own + "transactions");
                    client.send("GET", own);
                    client.send("EXEC");
                    transactions++;
                    expected.addAll(List.of("OK", "QUEUED", "QUEUED", "[" + transactions + ", " + value + "]"));
                }
                default -> {
                    client.send("GET", own);
                    expected.add(value);
                }
            }
        }
    }

    @Test
    void aMapThatIsFullSaysSoInRedisWords() {
        int bytes = 700_000;
        try (ServerFixture fixture = new ServerFixture(
                directory, options -> options.withMaxFileBytes(16 << 20, false).withSegmentBytes(4 << 20))) {
            TestClient client = fixture.client();
            String value = "x".repeat(bytes);
            String reply = "OK";
            int set = 0;
            while (reply.equals("OK") && set < 100) {
                reply = client.call("SET", "key" + set, value);
                set += reply.equals("OK") ? 1 : 0;
            }
            assertThat(reply).isEqualTo("OOM command not allowed when the files take 'max-file-size'.");
            assertThat(client.call("MSET", "a", value, "b", value)).startsWith("OOM ");
            assertThat(client.call("GET", "key0")).isEqualTo(value);
            assertThat(client.line("DBSIZE")).isEqualTo(Integer.toString(set));
            for (int i = 0; i < set; i++) {
                assertThat(client.line("DEL key" + i)).isEqualTo("1");
            }
            assertThat(client.call("SET", "key", value)).isEqualTo("OK");
        }
    }

    @Test
    void aMapThatEvictsTakesWhatComes() {
        try (ServerFixture fixture = new ServerFixture(
                directory, options -> options.withMaxFileBytes(16 << 20, true).withSegmentBytes(4 << 20))) {
            TestClient client = fixture.client();
            String value = "x".repeat(100_000);
            for (int i = 0; i < 500; i++) {
                assertThat(client.call("SET", "key" + i, value)).isEqualTo("OK");
            }
            assertThat(Long.parseLong(client.line("DBSIZE"))).isBetween(1L, 400L);
        }
    }
}
