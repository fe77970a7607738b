package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.larder.resp.ReplyOutput;
import dev.larder.server.client.Link;
import dev.larder.server.command.Database;
import dev.larder.server.session.Session;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heap bytes that a command allocates, from the bytes of its request to those of its reply. */
final class AllocationTest {

    private static final int COMMANDS = 1000;

    /** The most times that the commands run until they are compiled. */
    private static final int ROUNDS_MAX = 5000;

    /** The most bytes that a GET allocates: an object that holds the call, and one that says where its key lies. */
    private static final long GET_MAX_BYTES = 64;

    @TempDir
    private Path directory;

    /** A place for replies, which are counted and not kept. */
    private static final class Sink implements ReplyOutput {

        private long bytes;

        @Override
        public void write(byte value) {
            bytes++;
        }

        @Override
        public void write(byte[] array, int offset, int length) {
            bytes += length;
        }

        @Override
        public void write(ByteBuffer buffer, int offset, int length) {
            bytes += length;
        }

        @Override
        public int sizeBytes() {
            return Math.toIntExact(bytes);
        }

        @Override
        public void truncate(int sizeBytes) {
            bytes = sizeBytes;
        }
    }

    @Test
    void aGetAllocatesLittle() {
        AtomicReference<Database> keys = new AtomicReference<>();
        ServerOptions options = ServerOptions.of(directory).withPort(0).withSegmentBytes(4 << 20);
        try (LarderServer server = LarderServer.start(options, database -> {
                    keys.set(database);
                    return database;
                });
                TestClient client = new TestClient(server.port())) {
            assertThat(client.call("SET", "key", "x".repeat(1000))).isEqualTo("OK");
            Sink sink = new Sink();
            Session session = new Session(server.node(), link(sink), (position, encrypted) -> keys.get());
            ByteBuffer requests = requests();
            readManagement();
            long least = Long.MAX_VALUE;
            int rounds = 0;
            while (rounds < ROUNDS_MAX && least > GET_MAX_BYTES * COMMANDS) {
                least = Math.min(least, allocatedBy(session, requests));
                rounds++;
            }
            assertThat(sink.bytes).isEqualTo((long) rounds * COMMANDS * ("$1000\r\n".length() + 1000L + 2));
            assertThat(least / COMMANDS).as("bytes of a GET").isLessThanOrEqualTo(GET_MAX_BYTES);
        }
    }

    /** The server itself reads neither of the two modules; memory does, so both are there. */
    private static void readManagement() {
        for (String name : List.of("java.management", "jdk.management")) {
            AllocationTest.class
                    .getModule()
                    .addReads(ModuleLayer.boot().findModule(name).orElseThrow());
        }
    }

    private static long allocatedBy(Session session, ByteBuffer requests) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        requests.rewind();
        session.process(requests);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static ByteBuffer requests() {
        String get = "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n";
        return ByteBuffer.wrap(get.repeat(COMMANDS).getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns a link that has a place for replies, and no socket. */
    private static Link link(Sink sink) {
        return (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> {
                    Class<?> type = method.getReturnType();
                    if (type == ReplyOutput.class) {
                        return sink;
                    }
                    if (type == String.class) {
                        return "127.0.0.1:1";
                    }
                    return type == boolean.class ? (Object) false : type == long.class ? (Object) 0L : null;
                });
    }
}
