package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port for programs that watch the server. */
final class HealthTest {

    private static final int PATIENCE_MILLIS = 20_000;

    @TempDir
    private Path directory;

    @Test
    void figuresAndHealthAreToldOnAPortOfTheirOwn() throws IOException {
        Configuration configuration = Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("health-port", Integer.toString(FreePorts.takeOne()));
        try (LarderServer server = LarderServer.start(configuration);
                TestClient client = new TestClient(server.port())) {
            client.line("SET a 1");
            client.line("INCR");
            int port = server.healthPort().orElseThrow();
            assertThat(get(port, "/health/live")).isEqualTo("200 live\n");
            assertThat(get(port, "/health/ready")).isEqualTo("200 ready\n");
            assertThat(get(port, "/nothing")).startsWith("404");
            assertThat(get(port, "/metrics"))
                    .startsWith("200 # HELP larder_server_uptime_seconds")
                    .contains("larder_server_keys{database=\"0\"} 1\n")
                    .contains("larder_server_commands_total{command=\"set\"} 1\n")
                    .contains("larder_server_commands_rejected_total{command=\"incr\"} 1\n")
                    .contains("larder_server_error_replies_total{code=\"ERR\"} 1\n");
        }
    }

    @Test
    void eachAnswerEndsItsConnectionAndAPartOfARequestKeepsNobodyWaiting() throws IOException {
        Configuration configuration = Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("health-port", Integer.toString(FreePorts.takeOne()));
        try (LarderServer server = LarderServer.start(configuration);
                Socket part = connect(server);
                Socket twice = connect(server)) {
            part.getOutputStream().write("GET /health/li".getBytes(StandardCharsets.US_ASCII));
            String request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";
            twice.getOutputStream().write((request + request).getBytes(StandardCharsets.US_ASCII));
            String answer = new String(twice.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).containsOnlyOnce("200 OK").containsIgnoringCase("connection: close");
            part.getOutputStream().write("ve HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(part.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("live\n");
        }
    }

    private static Socket connect(LarderServer server) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.healthPort().orElseThrow());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static String get(int port, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        int status = connection.getResponseCode();
        try (InputStream body = status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
            return status + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
