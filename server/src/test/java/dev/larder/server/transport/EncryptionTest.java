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
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, with certificates that sign themselves. */
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
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", server.store().getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(client.store(), SelfSignedCertificate.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(withCertificate ? own.getKeyManagers() : null, trust.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        return new TestClient(socket);
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

    /** Else the port of TLS would be written as the other one, and the next start would need it twice. */
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
