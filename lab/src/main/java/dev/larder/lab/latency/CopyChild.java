package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.load.ConstantArrivals;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.LabException;
import dev.larder.log.LogOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.ConnectionSecurity;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueReplication;
import dev.larder.queue.QueueServer;
import dev.larder.queue.RemoteQueue;
import dev.larder.queue.ReplicationOptions;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A side of a replication: the source ({@code serve}, then {@code send}) or the copy ({@code follow}, then {@code receive}). */
final class CopyChild {

    private @Nullable Appender appender;
    private @Nullable Tailer tailer;

    /** Serves the parent's questions. What it has open ends with it. */
    public static void main(String[] arguments) throws IOException {
        CopyChild child = new CopyChild();
        new ChildLoop()
                .on("serve", child::serve)
                .on("send", child::send)
                .on("follow", child::follow)
                .on("receive", child::receive)
                .serve();
    }

    /** The secret is no secret: its cost is measured. */
    private static ConnectionSecurity security(Figures plan) throws IOException {
        Path file = Path.of(plan.text("directory")).resolveSibling("secret");
        return plan.flag("tls")
                ? ConnectionSecurity.secret(Files.writeString(file, "0123456789abcdef".repeat(4)))
                : ConnectionSecurity.none();
    }

    private Figures serve(Figures plan) throws IOException {
        LarderQueue queue = LarderQueue.open(Path.of(plan.text("directory")));
        appender = queue.appender();
        StampedMessage message = new StampedMessage((int) plan.whole("message_bytes"), 1);
        try (Batch batch = appender.batch()) {
            for (long number = 0; number < plan.whole("messages"); number++) {
                batch.add(message.stamped(0, number));
            }
        }
        queue.sync();
        QueueServer server = QueueServer.start(queue, new InetSocketAddress("localhost", 0), security(plan));
        return new Figures().put("port", server.port());
    }

    private Figures send(Figures plan) {
        StampedMessage message = new StampedMessage((int) plan.whole("message_bytes"), 1);
        return new Sender(Objects.requireNonNull(appender), message)
                .send(new ConstantArrivals(plan.number("rate_per_s")), plan.whole("warm_up"), plan.whole("count"));
    }

    private Figures follow(Figures plan) throws IOException, InterruptedException {
        Path directory = Path.of(plan.text("directory"));
        InetSocketAddress address = new InetSocketAddress("localhost", (int) plan.whole("port"));
        RemoteQueue source = new RemoteQueue(address, security(plan));
        long start = System.nanoTime();
        QueueReplication replication =
                QueueReplication.start(source, directory, LogOptions.defaults(), ReplicationOptions.defaults());
        while (replication.progress().copied() < plan.whole("messages")) {
            if (replication.ended().toCompletableFuture().isDone()) {
                throw new LabException("replication: " + replication.progress().trouble());
            }
            Thread.sleep(1);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        tailer = LarderQueue.open(directory).tailer().toEnd();
        return new Figures()
                .put("copied_per_s", plan.whole("messages") / seconds)
                .put("copied_bytes_per_s", plan.whole("messages") * plan.whole("message_bytes") / seconds);
    }

    private Figures receive(Figures plan) throws InterruptedException {
        Arrived arrived = new Arrived(plan.whole("warm_up"));
        while (!arrived.isComplete() && Objects.requireNonNull(tailer).poll(arrived, Duration.ofSeconds(15))) {
            assert arrived.received() >= 0;
        }
        return arrived.figures();
    }
}
