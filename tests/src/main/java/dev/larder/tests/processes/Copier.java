package dev.larder.tests.processes;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import dev.larder.queue.QueueServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * One side of a copy, to be killed: {@code <storage> serve <queue>} says its port and serves until its parent is gone;
 * {@code <storage> receive <port> <copy>} and {@code <storage> copy <queue> <copy>} follow until then.
 */
public final class Copier {

    private Copier() {}

    /** Does one task. */
    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().start(Copier::endWithParent);
        LogOptions options = HookedOptions.withStorage(
                LogOptions.defaults().withPrepareBytes(0),
                args[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system());
        switch (args[1]) {
            case "serve" -> serve(Path.of(args[2]), options.withReadOnly(true));
            case "receive" -> receive(Integer.parseInt(args[2]), Path.of(args[3]), options);
            case "copy" -> copy(Path.of(args[2]), Path.of(args[3]), options);
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
                java.util.concurrent.locks.LockSupport.park();
            }
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

    private static void copy(Path queue, Path copy, LogOptions options) {
        try (LarderQueue source = LarderQueue.open(queue, options.withReadOnly(true))) {
            say("READY");
            QueueCopy.copy(source, copy, options, true, () -> true);
        }
    }
}
