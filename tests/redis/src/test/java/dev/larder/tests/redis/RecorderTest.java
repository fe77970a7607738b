package dev.larder.tests.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecorderTest {

    private static final InetAddress HOME = InetAddress.getLoopbackAddress();

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
    private final Reactor reactor;
    private final Recorder recorder;

    RecorderTest() throws IOException {
        reactor = new Reactor();
        recorder = new Recorder(reactor, request -> seen.add(request.text(0)), (last, reply) -> {
            if (last.equals("forge")) {
                reply.put(reply.position() + 1, (byte) '2');
            }
        });
    }

    @BeforeEach
    @AfterEach
    void nothingIsLeft() {
        seen.clear();
    }

    @AfterEach
    void close() throws IOException {
        others.shutdownNow();
        recorder.close();
        reactor.close();
    }

    @Test
    void shouldPassOnAndShowRequests() throws Exception {
        assertThat(talk("get k\r\n*1\r\n$4\r\nping\r\n", ":1\r\n")).isEqualTo(":1\r\n");
        assertThat(seen).containsExactly("get", "ping");
    }

    @Test
    void shouldForgeAReply() throws Exception {
        assertThat(talk("forge\r\n", ":1\r\n")).isEqualTo(":2\r\n");
    }

    @Test
    void shouldPassOnMoreThanABufferHolds() throws Exception {
        String value = "v".repeat(3_000_000);

        assertThat(talk("*2\r\n$4\r\necho\r\n$3000000\r\n" + value + "\r\n", value))
                .isEqualTo(value);
        assertThat(seen).containsExactly("echo");
    }

    /** Lets a client send a request, read the reply, and close; the server reads the request, and replies. */
    private String talk(String request, String reply) throws Exception {
        Future<String> conversation = others.submit(() -> converse(request, reply));
        while (!conversation.isDone()) {
            reactor.turn(Duration.ofMillis(10));
        }
        return conversation.get();
    }

    private String converse(String request, String reply) throws Exception {
        int port = FreePorts.takeOne();
        int behind;
        try (Socket control = new Socket(HOME, recorder.port())) {
            control.getOutputStream().write((port + "\n").getBytes(StandardCharsets.US_ASCII));
            behind = Integer.parseInt(line(control.getInputStream()));
        }
        try (ServerSocket server = new ServerSocket(behind, 1, HOME);
                Socket client = new Socket(HOME, port)) {
            Future<Void> served = others.submit(answer(server, request.length(), reply));
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String heard = new String(client.getInputStream().readNBytes(reply.length()), StandardCharsets.US_ASCII);
            served.get();
            return heard;
        }
    }

    private static Callable<Void> answer(ServerSocket server, int length, String reply) {
        return () -> {
            try (Socket connection = server.accept()) {
                connection.getInputStream().readNBytes(length);
                connection.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
                connection.shutdownOutput();
                connection.getInputStream().read();
                return null;
            }
        };
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
