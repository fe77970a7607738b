package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.queue.connection.Frame;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not do their part hold no threads of a server for ever, and take none away from the others. */
@Tag("any-storage")
@Timeout(180)
final class QueueServerLimitsTest {

    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    Path directory;

    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private QueueServer serve(LarderQueue queue, int newcomers, Duration request, Duration write) throws IOException {
        ThreadFactory factory = work -> {
            Thread thread = Thread.ofPlatform().daemon().unstarted(work);
            threads.add(thread);
            return thread;
        };
        return QueueServer.start(
                queue,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ConnectionSecurity.none(),
                factory,
                new ServedConnections.Limits(newcomers, request, write));
    }

    private static Socket connect(QueueServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static byte[] request() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SourceDescription.request(SourceDescription.NONE, CopyScope.COMMITTED, 0)
                .write(bytes);
        return bytes.toByteArray();
    }

    /** Returns whether the server has ended the connection; waits for that. */
    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true; // reset
        }
    }

    private static List<String> messages(Socket socket, int count) throws IOException {
        socket.getOutputStream().write(request());
        InputStream in = new BufferedInputStream(socket.getInputStream());
        List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            Frame frame = Frame.required(in, "server");
            if (frame.kind() == Frame.Kind.MESSAGE) {
                texts.add(frame.text());
            }
        }
        return texts;
    }

    /** Once, each byte gave a client another 30 s. */
    @Test
    void aRequestThatComesByteByByteIsNotAwaitedForEver() throws Exception {
        try (LarderQueue queue = TestQueues.open(directory);
                QueueServer server = serve(queue, 64, Duration.ofSeconds(1), LONG);
                Socket slow = connect(server)) {
            byte[] request = request();
            boolean ended = false;
            for (int at = 0; at < request.length - 1 && !ended; at++) {
                ended = !send(slow, request[at]);
                Thread.sleep(500);
            }
            assertThat(ended).isTrue();
            awaitEnd(threads.getLast());
        }
    }

    private static boolean send(Socket socket, byte next) {
        try {
            socket.getOutputStream().write(next);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void awaitEnd(Thread thread) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !thread.isAlive());
    }

    @Test
    void theOldestConnectionWithoutARequestGivesWay() throws IOException {
        try (LarderQueue queue = TestQueues.open(directory);
                QueueServer server = serve(queue, 3, LONG, LONG);
                Socket served = connect(server)) {
            queue.append("one");
            assertThat(messages(served, 1)).containsExactly("one");
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                silent.add(connect(server));
            }
            assertThat(isEnded(silent.getFirst())).isTrue();
            for (Socket later : silent.subList(1, 4)) {
                assertThat(messages(later, 1)).containsExactly("one");
            }
            queue.append("two");
            assertThat(messages(connect(server), 2)).containsExactly("one", "two");
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** Once, such a client held a thread and a tailer as long as it liked. */
    @Test
    void aClientThatTakesNothingIsDropped() throws IOException {
        try (LarderQueue queue = TestQueues.open(directory);
                QueueServer server = serve(queue, 64, LONG, Duration.ofSeconds(1));
                Socket idle = connect(server)) {
            for (int i = 0; i < 200; i++) {
                queue.append(new byte[500_000]);
            }
            idle.getOutputStream().write(request());
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> threads.size() == 2);
            awaitEnd(threads.getLast());
            try (Socket other = connect(server)) {
                assertThat(messages(other, 1)).hasSize(1);
            }
        }
    }
}
