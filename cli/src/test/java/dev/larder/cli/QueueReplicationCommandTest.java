package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.queue.ConnectionSecurity;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueServer;
import dev.larder.tests.support.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replication, as a shell would run it. */
@Timeout(120)
class QueueReplicationCommandTest extends QueueShell {

    private String secret = "";

    @BeforeEach
    void makeSecret() throws IOException {
        secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef".repeat(2))
                .toString();
    }

    private Path path(String name) {
        return directory.resolve(name);
    }

    private QueueServer serve(LarderQueue queue) throws IOException {
        return QueueServer.start(
                queue,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ConnectionSecurity.secret(Path.of(secret)));
    }

    /** Takes lines until one holds a text. Then it acts as a pipe whose reader has gone. */
    private static final class Head extends OutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final String last;

        Head(String last) {
            this.last = last;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (toString().contains(last)) {
                throw new IOException("Broken pipe");
            }
            taken.write(bytes, offset, length);
        }

        @Override
        public String toString() {
            return taken.toString(StandardCharsets.UTF_8);
        }
    }

    /** The reader of the reports goes away after some, as {@code | head} does. */
    @Test
    void reportsTheLagInJson() throws IOException {
        Head reports = new Head("\"messages\":2,\"lagMessages\":0");
        try (LarderQueue queue = LarderQueue.open(path("orders"));
                QueueServer server = serve(queue)) {
            queue.append("one");
            queue.append("two");
            int code = larder(
                    new byte[0],
                    reports,
                    "queue",
                    "replicate",
                    "localhost:" + server.port(),
                    path("copy").toString(),
                    "--secret-file",
                    secret,
                    "--json",
                    "--every",
                    "20ms");
            assertThat(code).as(err()).isZero();
        }
        Figures last = Figures.parse(reports.toString().lines().toList().getLast());
        assertThat(last.flag("connected")).isTrue();
        assertThat(last.whole("messages")).isEqualTo(2);
        assertThat(last.whole("lagBytes")).isZero();
        assertThat(last.get("trouble")).isNull();
        assertThat(larder("", "queue", "info", path("copy").toString(), "--json"))
                .isZero();
        assertThat(Figures.parse(out()).whole("messages")).isEqualTo(2);
    }

    /** Waits in the first line of errors until the replication has ended. */
    private static final class SlowTerminal extends OutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final Runnable meanwhile;

        SlowTerminal(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public void write(int octet) {
            if (taken.size() == 0) {
                meanwhile.run();
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(thread -> thread.getName().equals("larder-replicate")));
            }
            taken.write(octet);
        }

        @Override
        public String toString() {
            return taken.toString(StandardCharsets.UTF_8);
        }
    }

    /** The replication may end while the command reports, and not while it waits. */
    @Test
    void tellsOfAnEndWhileItReports() throws IOException {
        int port = FreePorts.takeOne();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        AtomicReference<QueueServer> server = new AtomicReference<>();
        try (LarderQueue queue = LarderQueue.open(path("orders"))) {
            SlowTerminal terminal = new SlowTerminal(() -> server.set(start(queue, address)));
            try {
                Streams streams = new Streams(
                        InputStream.nullInputStream(),
                        new Answer(OutputStream.nullOutputStream()),
                        new PrintStream(terminal, true, StandardCharsets.UTF_8),
                        false);
                int code = Larder.execute(
                        streams,
                        "queue",
                        "replicate",
                        "localhost:" + port,
                        path("copy").toString(),
                        "--every",
                        "20ms");
                assertThat(code).as(terminal.toString()).isEqualTo(ExitCode.ERROR);
                assertThat(terminal.toString()).contains("; trying again\n").contains("the server uses TLS");
            } finally {
                server.get().close();
            }
        }
    }

    private QueueServer start(LarderQueue queue, InetSocketAddress address) {
        try {
            return QueueServer.start(queue, address, ConnectionSecurity.secret(Path.of(secret)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void copiesOverTls() throws IOException {
        try (LarderQueue queue = LarderQueue.open(path("orders"));
                QueueServer server = serve(queue)) {
            queue.append("one");
            String source = "localhost:" + server.port();
            assertThat(larder("", "queue", "copy", source, path("copy").toString(), "--secret-file", secret))
                    .as(err())
                    .isZero();
            assertThat(out()).isEqualTo("copied 1 message\n");
            assertThat(larder("", "queue", "copy", source, path("copy").toString()))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(err()).contains("uses TLS");
            assertThat(larder("", "queue", "replicate", source, path("other").toString()))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(err()).contains("uses TLS").doesNotContain("Exception");
        }
    }

    @Test
    void saysWhatIsWrongWithItsOptions() {
        String[] replicate = {
            "queue", "replicate", "localhost:7340", path("copy").toString()
        };
        assertThat(larder(replicate, "--tls-cert", secret)).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("give --tls-cert, --tls-key and --tls-ca together");
        assertThat(larder(replicate, "--tls-cert", secret, "--secret-file", secret))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("give either --secret-file");
        assertThat(larder(replicate, "--secret-file", path("none").toString())).isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains(path("none") + ": cannot be read");
        assertThat(larder(replicate, "--every", "0s")).isEqualTo(ExitCode.USAGE);
        assertThat(larder(
                        "",
                        "queue",
                        "replicate",
                        path("orders").toString(),
                        path("copy").toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("is not HOST:PORT", "larder queue copy");
        LarderQueue.open(path("orders")).close();
        assertThat(larder("", "queue", "serve", path("orders").toString(), "--listen", "0.0.0.0:0"))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("need certificates or a secret");
    }

    private int larder(String[] command, String... options) {
        String[] arguments = new String[command.length + options.length];
        System.arraycopy(command, 0, arguments, 0, command.length);
        System.arraycopy(options, 0, arguments, command.length, options.length);
        return larder("", arguments);
    }
}
