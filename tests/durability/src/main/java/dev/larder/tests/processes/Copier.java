package dev.larder.tests.processes;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.ConnectionSecurity;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import dev.larder.queue.QueueReplication;
import dev.larder.queue.QueueServer;
import dev.larder.queue.RemoteQueue;
import dev.larder.queue.ReplicationOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/**
 * One side of a copy, which the test kills. {@code <storage> serve <queue>} prints its port and serves.
 * {@code <storage> receive <port> <copy>} and {@code <storage> copy <queue> <copy>} follow. {@code dropping <queue> <copy>}
 * follows too, and drops each segment of the copy that has ended.
 * {@code secretly <queue> <port> <secret>} and {@code replicate <port> <copy> <secret>} are the two sides of a replication. All
 * run until their parent is gone.
 */
public final class Copier {

    private Copier() {}

    /** Runs one task. */
    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().start(Copier::endWithParent);
        LogOptions options = HookedOptions.withStorage(
                LogOptions.defaults().withPrepareBytes(0),
                args[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system());
        switch (args[1]) {
            case "serve" -> serve(Path.of(args[2]), options.withReadOnly(true));
            case "secretly" -> serveSecretly(args, options);
            case "replicate" -> replicate(args, options);
            case "receive" -> receive(Integer.parseInt(args[2]), Path.of(args[3]), options);
            case "copy" -> copy(Path.of(args[2]), Path.of(args[3]), options, options);
            case "dropping" ->
                copy(
                        Path.of(args[2]),
                        Path.of(args[3]),
                        options,
                        options.withRetention(retention -> retention.withAge(Duration.ZERO)));
            default -> throw new IllegalArgumentException(args[1]);
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                assert System.in != null;
            }
        } catch (IOException e) {
            // the parent is gone
        }
        Runtime.getRuntime().halt(3);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void serve(Path queue, LogOptions options) throws IOException {
        try (LarderQueue source = LarderQueue.open(queue, options);
                QueueServer server =
                        QueueServer.start(source, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            say(Integer.toString(server.port()));
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static void serveSecretly(String[] args, LogOptions options) throws IOException {
        ConnectionSecurity security = ConnectionSecurity.secret(Path.of(args[4]));
        try (LarderQueue source = LarderQueue.open(Path.of(args[2]), options);
                QueueServer server = QueueServer.start(source, loopback(args[3]), security)) {
            say(Integer.toString(server.port()));
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static InetSocketAddress loopback(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    private static void replicate(String[] args, LogOptions options) {
        ConnectionSecurity security = ConnectionSecurity.secret(Path.of(args[4]));
        QueueReplication replication = QueueReplication.start(
                new RemoteQueue(loopback(args[2]), security),
                Path.of(args[3]),
                options,
                ReplicationOptions.defaults().withName("copy"));
        say("READY");
        try {
            replication.ended().toCompletableFuture().join();
        } catch (CompletionException e) {
            say("ENDED " + e.getMessage());
        }
    }

    private static void receive(int port, Path copy, LogOptions options) {
        say("READY");
        try {
            QueueCopy.copy(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), copy, options, true, () -> true);
        } catch (IOException e) {
            say("BROKEN " + e.getMessage());
        }
    }

    private static void copy(Path queue, Path copy, LogOptions options, LogOptions ofCopy) {
        try (LarderQueue source = LarderQueue.open(queue, options.withReadOnly(true))) {
            say("READY");
            QueueCopy.copy(source, copy, ofCopy, true, () -> true);
        }
    }
}
