package dev.larder.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, with certificates that sign themselves, made by the keytool of the JDK. */
final class EncryptionTest {

    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private static Path keys;

    private static KeyStore server;
    private static KeyStore client;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeCertificates() throws Exception {
        server = made("server");
        client = made("client");
    }

    private static KeyStore made(String name) throws Exception {
        Path store = keys.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-validity",
                        "3650")
                .redirectErrorStream(true)
                .redirectOutput(keys.resolve(name + ".log").toFile())
                .start();
        assertThat(keytool.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(keytool.exitValue())
                .as(Files.readString(keys.resolve(name + ".log")))
                .isZero();
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD);
        }
        Certificate certificate = loaded.getCertificate(name);
        writePem(name + ".crt", "CERTIFICATE", certificate.getEncoded());
        writePem(name + ".key", "PRIVATE KEY", loaded.getKey(name, PASSWORD).getEncoded());
        return loaded;
    }

    private static void writePem(String file, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                keys.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private LarderServer start(String clients) throws IOException {
        return LarderServer.start(Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("tls-port", Integer.toString(freePort()))
                .with("tls-cert-file", keys.resolve("server.crt").toString())
                .with("tls-key-file", keys.resolve("server.key").toString())
                .with("tls-ca-cert-file", keys.resolve("client.crt").toString())
                .with("tls-auth-clients", clients));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static TestClient connect(int port, boolean withCertificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", server.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(client, PASSWORD);
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
                .with("tls-port", Integer.toString(freePort()))
                .with("tls-cert-file", broken.toString())
                .with("tls-key-file", keys.resolve("server.key").toString());
        assertThatThrownBy(() -> LarderServer.start(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tls-cert-file " + broken);
    }
}
