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
import java.util.List;
import java.util.Map;
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

    /** The authorities of the JDK sign certificates for anybody. */
    @Test
    void certificatesOfClientsNeedAnAuthority() {
        for (String clients : List.of("yes", "optional")) {
            Configuration none = Configuration.defaults()
                    .with("tls-port", "6380")
                    .with("tls-cert-file", server.certificate().toString())
                    .with("tls-key-file", server.key().toString())
                    .with("tls-auth-clients", clients);
            assertThatThrownBy(none::options)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "tls-auth-clients " + clients + ": TLS needs a tls-ca-cert-file with the authorities of the"
                                    + " clients' certificates, and none is given; no asks for no certificate");
        }
    }

    private Configuration configuration(Path certificate, Path key, Path authorities) throws IOException {
        return Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("tls-port", Integer.toString(FreePorts.takeOne()))
                .with("tls-cert-file", certificate.toString())
                .with("tls-key-file", key.toString())
                .with("tls-ca-cert-file", authorities.toString())
                .with("tls-auth-clients", "no");
    }

    private void assertRefused(Path certificate, Path key, Path authorities, String reason) throws IOException {
        Configuration configuration = configuration(certificate, key, authorities);
        assertThatThrownBy(configuration::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
        assertThatThrownBy(() -> LarderServer.start(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }

    @Test
    void anErrorNamesTheOptionTheFileAndTheReason() throws IOException {
        Path certificate = server.certificate();
        Path key = server.key();
        Path absent = directory.resolve("absent");
        Path empty = Files.createFile(directory.resolve("empty"));
        Path text = Files.writeString(directory.resolve("text"), "nothing");
        Path cut = Files.writeString(
                directory.resolve("cut"), Files.readString(certificate).substring(0, 100));
        for (Map.Entry<Path, String> wrong : Map.of(
                        absent, "cannot be read: there is no such file",
                        empty, "is empty",
                        text, "holds no certificate in PEM",
                        key, "holds no certificate in PEM",
                        cut, "holds no certificate in PEM")
                .entrySet()) {
            String reason = " " + wrong.getKey() + ": " + wrong.getValue();
            assertRefused(wrong.getKey(), key, certificate, "tls-cert-file" + reason);
            assertRefused(certificate, key, wrong.getKey(), "tls-ca-cert-file" + reason);
        }
        for (Map.Entry<Path, String> wrong : Map.of(
                        absent,
                        "cannot be read: there is no such file",
                        empty,
                        "is empty",
                        certificate,
                        "holds no private key in PEM",
                        client.key(),
                        "the private key is not that of the certificate in " + certificate,
                        pem("encrypted", "ENCRYPTED PRIVATE KEY"),
                        "its private key has a password, and must have none (openssl pkcs8 -topk8 -nocrypt"
                                + " makes one)",
                        pem("elliptic", "EC PRIVATE KEY"),
                        "its private key is in the form EC, and must be in PKCS 8 (openssl pkcs8 -topk8"
                                + " -nocrypt makes one)")
                .entrySet()) {
            assertRefused(
                    certificate,
                    wrong.getKey(),
                    certificate,
                    "tls-key-file " + wrong.getKey() + ": " + wrong.getValue());
        }
    }

    /** Returns a file with the frame of a kind of key: the errors follow from that alone. */
    private Path pem(String name, String kind) throws IOException {
        return Files.writeString(
                directory.resolve(name), "-----BEGIN " + kind + "-----\nMAAA\n-----END " + kind + "-----\n");
    }

    @Test
    void aDamagedCertificateOrKeyIsRefused() throws IOException {
        Path certificate = pem("damaged.crt", "CERTIFICATE");
        Path key = pem("damaged.key", "PRIVATE KEY");
        assertThatThrownBy(configuration(certificate, server.key(), server.certificate())::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("tls-cert-file " + certificate + ": certificate 1 is damaged: ");
        assertThatThrownBy(configuration(server.certificate(), key, server.certificate())::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("tls-key-file " + key + ": the private key is damaged: ");
    }

    @Test
    void certificatesThatAreNoChainAreRefused() throws IOException {
        Path strangers = Files.writeString(
                directory.resolve("strangers.crt"),
                Files.readString(server.certificate()) + Files.readString(client.certificate()));
        assertRefused(
                strangers,
                server.key(),
                strangers,
                "tls-cert-file " + strangers
                        + ": certificate 2 is not that of the authority that has issued certificate 1");
    }

    /** As {@code tls-cert-file} and {@code tls-key-file} of other programs often name the same file. */
    @Test
    void oneFileMayHoldTheKeyAndTheCertificates() throws Exception {
        Path both = Files.writeString(
                directory.resolve("both.pem"),
                "a comment\n" + Files.readString(server.key()) + Files.readString(server.certificate()));
        try (LarderServer larder = LarderServer.start(configuration(both, both, both));
                TestClient connected = connect(larder.port(), false)) {
            assertThat(connected.line("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void aChangeOfTheFilesIsRefusedAndTheFormerOnesStayInUse() throws Exception {
        try (LarderServer larder = start("no");
                TestClient connected = connect(larder.port(), false)) {
            for (String name : List.of("tls-cert-file", "tls-key-file", "tls-ca-cert-file")) {
                assertThat(connected.call(
                                "CONFIG", "SET", name, keys.resolve("absent").toString()))
                        .isEqualTo("ERR CONFIG SET failed (possibly related to argument '" + name
                                + "') - can't set immutable config");
            }
            assertThat(connected.line("CONFIG GET tls-cert-file"))
                    .isEqualTo("[tls-cert-file, " + server.certificate() + "]");
            try (TestClient next = connect(larder.port(), false)) {
                assertThat(next.line("PING")).isEqualTo("PONG");
            }
        }
    }
}
