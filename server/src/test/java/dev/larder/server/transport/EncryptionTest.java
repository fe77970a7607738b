package dev.larder.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, with self-signed certificates. */
final class EncryptionTest {

    @TempDir
    private static Path keys;

    private static SelfSignedCertificate server;
    private static SelfSignedCertificate client;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeCertificates() {
        server = SelfSignedCertificate.make(keys, "server");
        client = SelfSignedCertificate.make(keys, "client");
    }

    private LarderServer start(String clients) throws IOException {
        return LarderServer.start(Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("tls-port", Integer.toString(FreePorts.takeOne()))
                .with("tls-cert-file", server.certificate().toString())
                .with("tls-key-file", server.key().toString())
                .with("tls-ca-cert-file", client.certificate().toString())
                .with("tls-auth-clients", clients));
    }

    private static TestClient connect(int port, boolean withCertificate) throws Exception {
        SSLContext context = server.client(withCertificate ? Optional.of(client) : Optional.empty());
        return new TestClient(context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void aConnectionIsEncrypted() throws Exception {
        try (LarderServer larder = start("no");
                TestClient connected = connect(larder.port(), false)) {
            assertThat(connected.line("PING")).isEqualTo("PONG");
            String value = "0123456789abcdef".repeat(20_000);
            assertThat(connected.call("SET", "large", value)).isEqualTo("OK");
            assertThat(connected.call("GET", "large")).isEqualTo(value);
        }
    }

    /** Otherwise the TLS port would be written as the plain one, and the next start would need it twice. */
    @Test
    void aRewriteKeepsAServerThatEncryptsAll() throws Exception {
        Path file = directory.resolve("larder.conf");
        Files.writeString(
                file,
                String.join(
                        "\n",
                        "dir " + directory.resolve("data"),
                        "port 0",
                        "segment-size 4mb",
                        "tls-port " + FreePorts.takeOne(),
                        "tls-cert-file " + server.certificate(),
                        "tls-key-file " + server.key(),
                        "tls-auth-clients no",
                        ""));
        for (int start = 0; start < 2; start++) {
            try (LarderServer larder = LarderServer.start(Configuration.read(file));
                    TestClient connected = connect(larder.port(), false)) {
                assertThat(connected.line("CONFIG GET port")).isEqualTo("[port, 0]");
                assertThat(connected.line("INFO server")).contains("tcp_port:" + larder.port());
                assertThat(connected.line("CONFIG REWRITE")).isEqualTo("OK");
            }
        }
    }

    @Test
    void aClientShowsItsCertificate() throws Exception {
        try (LarderServer larder = start("yes");
                TestClient connected = connect(larder.port(), true)) {
            assertThat(connected.line("SET a 1")).isEqualTo("OK");
        }
    }

    @Test
    void aClientWithoutACertificateIsRefused() throws Exception {
        try (LarderServer larder = start("yes")) {
            assertThatThrownBy(() -> {
                        try (TestClient connected = connect(larder.port(), false)) {
                            throw new UncheckedIOException(new IOException("the reply was " + connected.line("PING")));
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageNotContaining("PONG");
            try (TestClient connected = connect(larder.port(), true)) {
                assertThat(connected.line("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void withoutTlsThePortGivesNoReply() throws Exception {
        try (LarderServer larder = start("no");
                TestClient plain = new TestClient(larder.port())) {
            assertThat(plain.line("PING")).isNotEqualTo("PONG");
        }
    }

    @Test
    void aPortOfTlsNeedsACertificateAndAKey() {
        Configuration neither = Configuration.defaults().with("tls-port", "6380");
        assertThatThrownBy(neither::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tls-port 6380: TLS needs a tls-cert-file, and none is given");
        Configuration noKey = neither.with("tls-cert-file", server.certificate().toString());
        assertThatThrownBy(() -> LarderServer.start(noKey))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tls-port 6380: TLS needs a tls-key-file, and none is given");
    }

    @Test
    void aFileThatIsNoCertificateStopsTheStart() throws IOException, GeneralSecurityException {
        Path broken = Files.writeString(keys.resolve("broken.crt"), "nothing");
        Configuration configuration = Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("tls-port", Integer.toString(FreePorts.takeOne()))
                .with("tls-cert-file", broken.toString())
                .with("tls-key-file", server.key().toString());
        assertThatThrownBy(() -> LarderServer.start(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls-cert-file " + broken);
    }
}
