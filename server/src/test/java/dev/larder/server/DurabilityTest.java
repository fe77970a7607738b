package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.server.command.Call;
import dev.larder.server.command.Database;
import dev.larder.server.command.NotReadyException;
import dev.larder.tests.support.ChildProgram;
import dev.larder.tests.support.Effort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledged writes are there again after the server was killed. Writes that cannot be synced are not acknowledged. */
@Timeout(600)
final class DurabilityTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CLIENTS = 4;
    private static final int PIPELINE = 16;
    private static final byte[] SET_AND_INCR = "SET key value\r\nINCR number\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    @Test
    void aServerThatIsKilledHasLostNothingThatItAcknowledged() throws Exception {
        Random random = new Random(1);
        int rounds = Effort.of(2, 10, 100);
        List<List<Long>> acknowledged = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            acknowledged.add(new ArrayList<>(List.of(0L)));
        }
        for (int round = 0; round < rounds; round++) {
            try (ServerProcess server = ServerProcess.start(directory, round % 2 == 0)) {
                load(server, acknowledged, random.nextLong(1_000_000, 300_000_000));
            }
            check(acknowledged);
        }
        assertThat(acknowledged).allSatisfy(of -> assertThat(of.getLast()).isPositive());
    }

    /** Writes by several clients until the server is killed. */
    private static void load(ServerProcess server, List<List<Long>> acknowledged, long nanos) throws Exception {
        List<Callable<Void>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            clients.add(() -> write(server.port(), number, acknowledged.get(number)));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Void>> written = clients.stream().map(threads::submit).toList();
            try {
                await().atMost(PATIENCE)
                        .until(() -> written.stream().anyMatch(Future::isDone)
                                || acknowledged.stream().allMatch(of -> of.size() >= 2));
                assertThat(written).as("clients before the kill").noneMatch(Future::isDone);
                LockSupport.parkNanos(nanos);
            } finally {
                server.kill(); // or its clients would never end
            }
            for (Future<Void> client : written) {
                client.get();
            }
        }
    }

    /** Sets a key to each number in turn, and records which were acknowledged. */
    private static Void write(int port, int number, List<Long> acknowledged) {
        try (TestClient client = new TestClient(port)) {
            long next = acknowledged.getLast() + 1;
            while (true) {
                for (int i = 0; i < PIPELINE; i++) {
                    client.send("SET", "last" + number, Long.toString(next + i));
                    client.send("SET", "key" + number + ":" + (next + i), "x".repeat(500));
                }
                for (int i = 0; i < 2 * PIPELINE; i++) {
                    if (!client.reply().equals("OK")) {
                        return null; // killed
                    }
                    if (i % 2 == 1) {
                        acknowledged.add(next++);
                    }
                }
            }
        } catch (UncheckedIOException e) {
            return null; // killed
        }
    }

    private void check(List<List<Long>> acknowledged) {
        try (ServerFixture fixture = new ServerFixture(directory)) {
            TestClient client = fixture.client();
            for (int number = 0; number < CLIENTS; number++) {
                List<Long> of = acknowledged.get(number);
                assertThat(Long.parseLong(client.line("GET last" + number))).isGreaterThanOrEqualTo(of.getLast());
                for (long one : of.subList(1, of.size())) {
                    client.send("STRLEN", "key" + number + ":" + one);
                }
                for (long one : of.subList(1, of.size())) {
                    assertThat(client.reply())
                            .as("client %d, number %d", number, one)
                            .isEqualTo("500");
                }
                of.subList(1, of.size() - 1).clear();
            }
        }
    }

    @Test
    void aWriteWhoseSyncFailsIsNotAcknowledged() {
        ServerOptions options = ServerOptions.of(directory)
                .withPort(0)
                .withSegmentBytes(4 << 20)
                .withDurability(Durability.ofEveryWrite());
        try (LarderServer server = LarderServer.start(options, FailingCommits::new)) {
            try (TestClient client = new TestClient(server.port())) {
                assertThat(client.line("GET key")).isEqualTo("nil");
                assertThat(client.line("SET key value")).isEqualTo("closed");
            }
            try (TestClient client = new TestClient(server.port())) {
                assertThat(client.line("MULTI")).isEqualTo("OK");
                assertThat(client.line("INCR number")).isEqualTo("QUEUED");
                assertThat(client.line("EXEC")).isEqualTo("closed");
            }
        }
    }

    /** A database of which no change becomes durable. */
    private static final class FailingCommits extends DelegatingDatabase {

        FailingCommits(Database inner) {
            super(inner);
        }

        @Override
        public void commit(Commit done) {
            done.done(new IllegalStateException("a test: the disk is gone"));
        }
    }

    @Test
    void aClientIsReadFromWhileItsWriteWaitsForASync() throws Exception {
        List<Database.Commit> held = new CopyOnWriteArrayList<>();
        ServerOptions options = ServerOptions.of(directory)
                .withPort(0)
                .withSegmentBytes(4 << 20)
                .withDurability(Durability.ofEveryWrite());
        byte[] echoes = ("ECHO " + "x".repeat(10_000) + "\r\n").repeat(600).getBytes(StandardCharsets.US_ASCII);
        try (LarderServer server = LarderServer.start(options, inner -> new HeldCommits(inner, held));
                TestClient other = new TestClient(server.port());
                TestClient client = new TestClient(server.port())) {
            client.line("CLIENT SETNAME writer");
            client.send("SET", "key", "value");
            await().until(() -> held.size() == 1);
            client.send("GET", "key");
            await().until(() -> queryBytes(other) > 0);
            Thread sender = Thread.ofPlatform().start(() -> client.sendBytes(echoes));
            await().until(() -> queryBytes(other) >= 64 << 10);
            for (int i = 0; i < 50; i++) {
                assertThat(queryBytes(other)).isLessThan(2 << 20); // the operating system holds the rest
            }
            held.getFirst().done(null);
            assertThat(client.reply()).isEqualTo("OK");
            assertThat(client.reply()).isEqualTo("value");
            for (int i = 0; i < 600; i++) {
                assertThat(client.reply()).hasSize(10_000);
            }
            sender.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aClientThatSendsNoMoreHasItsReplies(String transport) throws Exception {
        List<Database.Commit> held = new CopyOnWriteArrayList<>();
        ServerOptions options = ServerOptions.of(directory)
                .withPort(0)
                .withTransport(transport)
                .withSegmentBytes(4 << 20)
                .withDurability(Durability.ofEveryWrite());
        try (LarderServer server = LarderServer.start(options, inner -> new HeldCommits(inner, held));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                TestClient other = new TestClient(server.port())) {
            socket.getOutputStream().write("SET key value\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> held.size() == 1);
            socket.getOutputStream().write("GET key\r\nGET".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            assertThat(other.line("PING")).isEqualTo("PONG"); // another loop may be faster, which is no error
            held.getFirst().done(null);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("+OK\r\n$5\r\nvalue\r\n");
            await().until(() -> other.line("CLIENT LIST").lines().count() == 1);
        }
    }

    @Test
    void aWriteThatRunsDuringACommitIsAcknowledgedAfterTheNext() {
        CountDownLatch read = new CountDownLatch(1);
        List<Database.Commit> held = new CopyOnWriteArrayList<>();
        try (LarderServer server = start("auto", held, read);
                TestClient other = new TestClient(server.port());
                TestClient client = new TestClient(server.port())) {
            client.sendBytes(SET_AND_INCR);
            await().until(() -> held.size() == 1);
            read.countDown();
            await().until(() -> other.line("GET number").equals("1"));
            held.getFirst().done(null);
            await().until(() -> held.size() == 2);
            held.getLast().done(new IllegalStateException("a test: the disk is gone"));
            assertThat(client.reply()).isEqualTo("closed");
        }
    }

    @Test
    void aWaitThatEndsDuringACommitIsAnsweredAfterTheNext() {
        List<Database.Commit> held = new CopyOnWriteArrayList<>();
        try (LarderServer server = start("auto", held, new CountDownLatch(0));
                TestClient other = new TestClient(server.port());
                TestClient client = new TestClient(server.port())) {
            client.sendBytes("SET key value\r\nXREAD BLOCK 0 STREAMS s $\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> held.size() == 1 && server.waitingClients() == 1);
            other.send("XADD", "s", "1-1", "f", "v");
            await().until(() -> held.size() == 2);
            held.getFirst().done(null);
            await().until(() -> held.size() == 3);
            held.getLast().done(new IllegalStateException("a test: the disk is gone"));
            assertThat(client.reply()).isEqualTo("closed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aClientThatSendsNoMoreHasTheReplyThatWaitsForTheDisk(String transport) throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        List<Database.Commit> held = new CopyOnWriteArrayList<>();
        try (LarderServer server = start(transport, held, read);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                TestClient other = new TestClient(server.port())) {
            socket.getOutputStream().write(SET_AND_INCR);
            await().until(() -> held.size() == 1);
            socket.shutdownOutput();
            assertThat(other.line("PING")).isEqualTo("PONG"); // the loop has seen the end, too
            held.getFirst().done(null);
            assertThat(new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII))
                    .isEqualTo("+OK\r\n");
            read.countDown();
            await().until(() -> held.size() == 2);
            held.getLast().done(null);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo(":1\r\n");
            await().until(() -> other.line("CLIENT LIST").lines().count() == 1);
        }
    }

    /** Starts a server of one loop. The test ends its commits, and the read for which {@code INCR} waits. */
    private LarderServer start(String transport, List<Database.Commit> held, CountDownLatch read) {
        ServerOptions options = ServerOptions.of(directory)
                .withPort(0)
                .withLoops(1)
                .withTransport(transport)
                .withSegmentBytes(4 << 20)
                .withDurability(Durability.ofEveryWrite());
        return LarderServer.start(options, inner -> new HeldReads(new HeldCommits(inner, held), read));
    }

    private static long queryBytes(TestClient other) {
        Matcher matcher = Pattern.compile("name=writer .* qbuf=(\\d+)").matcher(other.line("CLIENT LIST"));
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    /** A database whose changes become durable when the test says so. */
    private static final class HeldCommits extends DelegatingDatabase {

        private final List<Commit> held;

        HeldCommits(Database inner, List<Commit> held) {
            super(inner);
            this.held = held;
        }

        @Override
        public void commit(Commit done) {
            held.add(done);
        }
    }

    /** A database whose numbers are on the disk until the test says so. */
    private static final class HeldReads extends DelegatingDatabase {

        private final CountDownLatch read;

        HeldReads(Database inner, CountDownLatch read) {
            super(inner);
            this.read = read;
        }

        @Override
        public boolean run(Call call) {
            if (call.command().name().equals("incr") && read.getCount() > 0) {
                throw new NotReadyException(this::awaitRead, false);
            }
            return super.run(call);
        }

        private void awaitRead() {
            try {
                read.await();
            } catch (InterruptedException e) { // the server stops
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A server in a process of its own. */
    private static final class ServerProcess implements AutoCloseable {

        private final Process process;
        private final int port;

        private ServerProcess(Process process, int port) {
            this.process = process;
            this.port = port;
        }

        static ServerProcess start(Path directory, boolean always) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    classPath(),
                    ChildProgram.class.getName(),
                    ServerProgram.class.getName(),
                    directory.toString(),
                    Boolean.toString(always)));
            Path errors = Files.createTempFile("larder-server", ".txt");
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            String line = lines.readLine();
            if (line == null) {
                throw new AssertionError("the server did not start: " + Files.readString(errors));
            }
            Files.delete(errors);
            return new ServerProcess(process, Integer.parseInt(line));
        }

        private static String classPath() throws IOException {
            try {
                String own = Path.of(ServerProgram.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .toString();
                return String.join(
                        System.getProperty("path.separator"),
                        Stream.of(own, System.getProperty("jdk.module.path", ""), System.getProperty("java.class.path"))
                                .filter(part -> !part.isEmpty())
                                .toList());
            } catch (URISyntaxException e) {
                throw new IOException(e);
            }
        }

        int port() {
            return port;
        }

        void kill() {
            process.destroyForcibly();
        }

        @Override
        public void close() {
            kill();
            process.onExit().join();
        }
    }
}
