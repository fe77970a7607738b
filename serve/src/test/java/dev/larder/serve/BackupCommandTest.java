package dev.larder.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Answer;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.ServerOptions;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code larder backup} and {@code larder restore}, beside a running server. */
final class BackupCommandTest {

    private static final long SEGMENT_BYTES = 4 << 20;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    private static LarderServer start(Path data) {
        return LarderServer.start(ServerOptions.of(data).withPort(0).withSegmentBytes(SEGMENT_BYTES));
    }

    private static String call(LarderServer server, String... command) throws IOException {
        try (ServerClient client = new ServerClient(SocketFactory.getDefault(), server.port())) {
            return client.call(command);
        }
    }

    private int backUp(LarderServer server, Path to) {
        return larder("backup", to.toString(), "--port", Integer.toString(server.port()));
    }

    private int larder(String... words) {
        err.reset();
        Answer out = new Answer(new ByteArrayOutputStream());
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        return Larder.execute(new Streams(InputStream.nullInputStream(), out, errors, false), words);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatWasBackedUpIsServedAgain() throws IOException {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        try (LarderServer server = start(directory.resolve("data"))) {
            call(server, "SET", "fruit", "apple");
            assertThat(backUp(server, backup)).isZero();
            call(server, "SET", "fruit", "pear");
            assertThat(backUp(server, backup)).isPositive(); // it is there already
        }
        assertThat(larder("restore", backup.toString(), restored.toString())).isZero();
        try (LarderServer server = start(restored)) {
            assertThat(call(server, "GET", "fruit")).isEqualTo("apple");
        }
    }

    /** A folder of a message may have a name that is not ASCII. */
    @Test
    void theWordsOfAServerAreUtf8() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answering = OtherThread.run(() -> {
                try (Socket client = listening.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream().write("-ERR /Gr\u00f6\u00dfe: full\r\n".getBytes(StandardCharsets.UTF_8));
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (ServerClient client = new ServerClient(SocketFactory.getDefault(), listening.getLocalPort())) {
                assertThatThrownBy(() -> client.call("PING"))
                        .hasMessage("the server replies: ERR /Gr\u00f6\u00dfe: full");
            }
            answering.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aServerThatSpeaksTlsAloneIsBackedUp() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.make(directory, "server");
        String port = Integer.toString(FreePorts.takeOne());
        Configuration tls = Configuration.defaults()
                .with("dir", directory.resolve("data").toString())
                .with("port", "0")
                .with("tls-port", port)
                .with("tls-auth-clients", "no")
                .with("tls-cert-file", certificate.certificate().toString())
                .with("tls-key-file", certificate.key().toString());
        Path backup = directory.resolve("backup");
        try (LarderServer _ = LarderServer.start(tls)) {
            assertThat(larder("backup", backup.toString(), "--port", port)).isEqualTo(ExitCode.ERROR);
            assertThat(backup).doesNotExist();
            String authority = certificate.certificate().toString();
            assertThat(larder("backup", backup.toString(), "--port", port, "--tls-ca-cert-file", authority))
                    .as(errors())
                    .isZero();
            String stranger =
                    SelfSignedCertificate.make(directory, "other").certificate().toString();
            assertThat(larder("backup", backup + "2", "--port", port, "--tls-ca-cert-file", stranger))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(errors())
                    .startsWith("larder: the server on port " + port)
                    .hasLineCount(1);
        }
        assertThat(larder(
                        "restore",
                        backup.toString(),
                        directory.resolve("restored").toString()))
                .isZero();
    }

    @Test
    void saysThatAPortSpeaksNoTls() {
        SelfSignedCertificate certificate = SelfSignedCertificate.make(directory, "server");
        try (LarderServer server = start(directory.resolve("data"))) {
            String port = Integer.toString(server.port());
            String authority = certificate.certificate().toString();
            String backup = directory.resolve("backup").toString();
            assertThat(larder("backup", backup, "--port", port, "--tls-ca-cert-file", authority))
                    .isEqualTo(ExitCode.ERROR);
            assertThat(errors())
                    .startsWith("larder: the server on port " + port + " of this machine cannot be reached with TLS: ")
                    .hasLineCount(1);
        }
    }

    @Test
    void aDamagedBackupIsRefused() throws IOException {
        Path backup = directory.resolve("backup");
        try (LarderServer server = start(directory.resolve("data"))) {
            assertThat(backUp(server, backup)).isZero();
        }
        List<Path> segments;
        try (Stream<Path> files = Files.walk(backup)) {
            segments = files.filter(file -> file.toString().endsWith(".seg")).toList();
        }
        Files.delete(segments.getFirst());
        Path restored = directory.resolve("restored");
        assertThat(larder("restore", backup.toString(), restored.toString())).isPositive();
        assertThat(restored).doesNotExist();
    }

    @Test
    void saysInOneLineThatThereIsNoSuchPort() {
        assertThat(larder("backup", directory.resolve("backup").toString(), "--port", "70000"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(errors()).startsWith("larder: --port 70000 is not").hasLineCount(1);
    }

    @Test
    void saysInOneLineThatTheServerHasGone() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> server = OtherThread.run(() -> {
                try {
                    listening.accept().close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            String port = Integer.toString(listening.getLocalPort());
            assertThat(larder("backup", directory.resolve("backup").toString(), "--port", port))
                    .isEqualTo(ExitCode.ERROR);
            server.join();
        }
        assertThat(errors()).startsWith("larder: the server on port ").hasLineCount(1);
    }
}
