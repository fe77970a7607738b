package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.log.LogOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import dev.larder.queue.QueueServer;
import dev.larder.queue.TypedTailer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A copy that follows its source. Each message arrives once, even if either side is killed and restarted. */
public final class CopyToAnotherHost {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private CopyToAnotherHost() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path source = Path.of(arguments[0], "source");
        Path copy = Path.of(arguments[0], "copy");
        List<String> arrived = new ArrayList<>();
        // Both hosts are this one. Between two, both sides name a ConnectionSecurity.
        try (LarderQueue queue = LarderQueue.open(source);
                Appender appender = queue.appender();
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            appender.append("before");
            copy(server.port(), copy, false, new AtomicBoolean(true)); // up to the present end
            AtomicBoolean wanted = new AtomicBoolean(true);
            Thread following = Thread.ofPlatform().start(() -> copy(server.port(), copy, true, wanted));
            appender.append("after");
            read(copy, arrived);
            wanted.set(false);
            following.join();
        }
        if (!arrived.equals(List.of("before", "after"))) {
            throw new IllegalStateException("arrived: " + arrived);
        }
    }

    /** The part that runs on the other host. A copy that follows returns when it is no longer wanted. */
    private static void copy(int port, Path target, boolean follow, AtomicBoolean wanted) {
        try {
            long copied = QueueCopy.copy(loopback(port), target, LogOptions.defaults(), follow, wanted::get);
            System.out.println("copied " + copied + " messages");
        } catch (IOException e) {
            throw new UncheckedIOException("the connection broke; call again, and it goes on from there", e);
        }
    }

    /** Reads the copy. It is a queue like any other: its tailers sleep until messages arrive. */
    private static void read(Path copy, List<String> arrived) throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(copy);
                TypedTailer<String> tailer = queue.tailer(Codec.texts())) {
            while (arrived.size() < 2 && tailer.poll(arrived::add, PATIENCE)) {
                System.out.println("arrived: " + arrived.getLast());
            }
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
