package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Arrivals;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.machine.SystemFile;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Require;
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
import org.jspecify.annotations.Nullable;

/**
 * A process that appends to a queue, or reads one.
 *
 * <ul>
 *   <li>{@code append}, {@code tail}: opens a queue as a row says;
 *   <li>{@code serve}, {@code follow}: opens a queue for replication, or replicates one;
 *   <li>{@code send}, {@code receive}: sends or receives a plan's messages;
 *   <li>{@code close}.
 * </ul>
 */
final class LatencyChild {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MAPPINGS = Path.of("/proc/self/smaps_rollup");

    /** The longest wait for the next message. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final HiccupRecorder hiccups = new HiccupRecorder();
    private @Nullable LarderQueue queue;
    private @Nullable Appender appender;
    private @Nullable Tailer tailer;

    /** Serves the parent's questions. */
    public static void main(String[] arguments) throws IOException {
        ProcessorUse.start(); // loads its classes
        LatencyChild child = new LatencyChild();
        new ChildLoop()
                .on("append", child::append)
                .on("tail", child::tail)
                .on("serve", child::serve)
                .on("follow", child::follow)
                .on("send", child::send)
                .on("receive", child::receive)
                .on("close", child::close)
                .serve();
    }

    private LarderQueue open(Figures plan, LogOptions options) {
        LarderQueue opened = LarderQueue.open(Path.of(plan.text("directory")), options);
        queue = opened;
        return opened;
    }

    /** Creates the appender before it binds: that starts the queue's background, which must stay unbound. */
    private Figures append(Figures row) {
        appender = open(row, LatencyRow.options(row)).appender();
        return Binding.of(row);
    }

    private Figures tail(Figures row) {
        tailer = open(row, LogOptions.defaults()).tailer(LatencyRow.strategy(row));
        return Binding.of(row);
    }

    /** A constant will do: only its cost matters. */
    private static ConnectionSecurity security(Figures plan) throws IOException {
        Path file = Path.of(plan.text("directory")).resolveSibling("secret");
        return plan.flag("tls")
                ? ConnectionSecurity.secret(Files.writeString(file, "0123456789abcdef".repeat(4)))
                : ConnectionSecurity.none();
    }

    private Figures serve(Figures plan) throws IOException {
        LarderQueue served = open(plan, LogOptions.defaults());
        appender = served.appender();
        StampedMessage message = message(plan);
        try (Batch batch = appender.batch()) {
            for (long number = 0; number < plan.whole("messages"); number++) {
                batch.add(message.stamped(0, number));
            }
        }
        served.sync();
        QueueServer server = QueueServer.start(served, new InetSocketAddress("localhost", 0), security(plan));
        return new Figures().put("port", server.port());
    }

    private static StampedMessage message(Figures plan) {
        return new StampedMessage((int) plan.whole("message_bytes"), plan.whole("seed"));
    }

    private Figures follow(Figures plan) throws IOException, InterruptedException {
        Path directory = Path.of(plan.text("directory"));
        RemoteQueue source =
                new RemoteQueue(new InetSocketAddress("localhost", (int) plan.whole("port")), security(plan));
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
        tailer = open(plan, LogOptions.defaults()).tailer().toEnd();
        return new Figures()
                .put("copied_per_s", plan.whole("messages") / seconds)
                .put("copied_bytes_per_s", plan.whole("messages") * plan.whole("message_bytes") / seconds);
    }

    private Figures send(Figures plan) {
        return new Sender(Require.open(appender), message(plan))
                .send(Arrivals.of(plan, plan.whole("seed")), plan.whole("warm_up"), plan.whole("count"))
                .put("locked_bytes", SystemFile.kibibytes(STATUS, "VmLck"))
                .put("huge_bytes", hugeBytes())
                .put("writer_hiccup_ms_max", hiccups.figures().number("hiccup_ms_max"));
    }

    /** Counts files mapped by large pages, wherever they are. */
    private static @Nullable Long hugeBytes() {
        Long file = SystemFile.kibibytes(MAPPINGS, "FilePmdMapped");
        Long shared = SystemFile.kibibytes(MAPPINGS, "ShmemPmdMapped");
        return file == null || shared == null ? null : Long.valueOf(file + shared);
    }

    private Figures receive(Figures plan) throws InterruptedException {
        Arrived arrived = new Arrived(plan.whole("warm_up"));
        boolean more = true;
        while (more && !arrived.isComplete()) {
            more = Require.open(tailer).poll(arrived, PATIENCE);
        }
        return arrived.figures().put("tailer_hiccup_ms_max", hiccups.figures().number("hiccup_ms_max"));
    }

    private Figures close(Figures question) {
        Require.open(queue).close();
        return new Figures();
    }
}
