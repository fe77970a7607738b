package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Schema;
import dev.larder.log.InterruptedWaitException;
import dev.larder.queue.connection.MessageSink;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies, replications and servers end when they should, and say so. */
@Timeout(120)
final class CopyEndsTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir
    Path directory;

    private LarderQueue source() {
        LarderQueue queue = TestQueues.open(directory.resolve("source"));
        for (int i = 0; i < 10; i++) {
            queue.append("message " + i);
        }
        return queue;
    }

    private Path target() {
        return directory.resolve("target");
    }

    private static InetSocketAddress addressOf(QueueServer server) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    }

    @Test
    void aCopyOfABusyQueueEndsWhereTheQueueEndedAtItsBeginning() {
        AtomicInteger asked = new AtomicInteger();
        try (LarderQueue queue = source()) {
            long copied = QueueCopy.copy(queue, target(), TestQueues.options(), CopyScope.COMMITTED, false, () -> {
                queue.append("one more");
                return asked.incrementAndGet() < 1000;
            });
            assertThat(copied).isEqualTo(10);
            assertThat(asked).hasValueLessThan(1000);
            assertThat(QueueCopy.copy(queue, target(), TestQueues.options(), false, () -> true))
                    .isEqualTo(asked.get());
        }
    }

    /** A sink whose queue grows by a message with each that it gets. */
    private static final class Growing implements MessageSink {

        private final LarderQueue queue;
        private int messages;
        private int messagesAtFirstIdle;

        Growing(LarderQueue queue) {
            this.queue = queue;
        }

        @Override
        public void schema(int number, Schema schema) {}

        @Override
        public void message(long position, byte[] bytes) {
            messages++;
            queue.append("one more");
        }

        @Override
        public void idle() {
            messagesAtFirstIdle = messagesAtFirstIdle == 0 ? messages : messagesAtFirstIdle;
        }
    }

    /** A client that does not follow goes when the server says for the first time that there is no more. */
    @Test
    void aBusyServerSaysWhereTheQueueEndedAtTheRequest() throws Exception {
        try (LarderQueue queue = source();
                Tailer tailer = queue.tailer()) {
            Growing sink = new Growing(queue);
            MessagePump.of(queue, tailer, CopyScope.COMMITTED, sink).run(true, () -> sink.messages < 5000);
            assertThat(sink.messagesAtFirstIdle).isEqualTo(10);
            assertThat(sink.messages).isGreaterThanOrEqualTo(5000);
        }
    }

    @Test
    void anInterruptedCopyIsAnInterruptedWait() {
        try (LarderQueue queue = source()) {
            AtomicInteger asked = new AtomicInteger();
            assertThatThrownBy(() -> QueueCopy.copy(queue, target(), TestQueues.options(), true, () -> {
                        if (asked.incrementAndGet() == 5) {
                            Thread.currentThread().interrupt();
                        }
                        return true;
                    }))
                    .isInstanceOf(InterruptedWaitException.class)
                    .hasMessageContaining(queue.directory().toString());
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aReplicationThatEndsForGoodSaysWhy() throws Exception {
        try (LarderQueue queue = source();
                LarderQueue own = TestQueues.open(target());
                QueueServer server = QueueServer.start(queue, ANY)) {
            own.append("the target has a message of its own");
            RemoteQueue remote = new RemoteQueue(addressOf(server), ConnectionSecurity.none());
            try (QueueReplication replication =
                    QueueReplication.start(remote, target(), TestQueues.options(), ReplicationOptions.defaults())) {
                assertThat(replication
                                .ended()
                                .handle((nothing, met) -> String.valueOf(met))
                                .toCompletableFuture()
                                .get(60, TimeUnit.SECONDS))
                        .contains(target() + ": has messages of its own");
            }
        }
    }

    /** Without the wait, the name was still taken for up to half a second. */
    @Test
    void aClosedServerHasFreedTheNamedTailers() throws Exception {
        try (LarderQueue queue = source()) {
            QueueServer server = QueueServer.start(queue, ANY);
            RemoteQueue remote = new RemoteQueue(addressOf(server), ConnectionSecurity.none());
            ReplicationOptions options = ReplicationOptions.defaults().withName("copy");
            try (QueueReplication replication =
                    QueueReplication.start(remote, target(), TestQueues.options(), options)) {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> replication.progress().copied() == 10);
                server.close();
                queue.tailer("copy").close();
            }
        }
    }
}
