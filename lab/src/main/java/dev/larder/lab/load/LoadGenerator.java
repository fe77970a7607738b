package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.process.Peer;
import dev.larder.lab.process.ProcessPriority;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The generator of a run: a process of this host, or of another host, reached by a command. It starts when first needed,
 * and ends with the run.
 *
 * <p>If a target takes every processor for a while (a collector on a small machine), a generator of the same priority
 * is late, and its figures are void. So on this host the generator gets a higher priority if it has the right to.
 */
public final class LoadGenerator implements AutoCloseable {

    /** The heap of a generator; it keeps its requests outside. */
    public static final long HEAP_BYTES = 64L << 20;

    /** Up to this rate a generator needs some tenth of a processor, so it takes little from its target. */
    private static final double LOW_RATE_PER_S = 5_000;

    private final RunContext context;
    private final Where where;
    private final Consumer<Peer> prepare;
    private @Nullable Peer peer;
    private @Nullable ProcessPriority priority;

    /**
     * A generator, and its host.
     *
     * @param command that reaches another host: {@code ssh HOST larder lab play}; null for this one
     * @param part its part on another host
     * @param heapBytes of its JVM on this host
     * @param main its class
     * @param priority its priority on this host, or the next lower possible one
     */
    public record Where(
            @Nullable String command, String part, long heapBytes, Class<?> main, ProcessPriority priority) {

        /** The generator of keys, on this host. At a low rate it may go before all others, and is late less often. */
        public static Where here(double ratePerSecond) {
            ProcessPriority priority =
                    ratePerSecond <= LOW_RATE_PER_S ? ProcessPriority.REAL_TIME : ProcessPriority.RAISED;
            return new Where(null, "generator", HEAP_BYTES, GeneratorLoop.class, priority);
        }
    }

    /** A generator without preparation. */
    public LoadGenerator(RunContext context, Where where) {
        this(context, where, generator -> {});
    }

    /** A generator that is prepared once, at its start. */
    public LoadGenerator(RunContext context, Where where, Consumer<Peer> prepare) {
        this.context = context;
        this.where = where;
        this.prepare = prepare;
    }

    /** Returns the process, which an interruption of the run ends. */
    public Peer peer() {
        Peer running = peer;
        if (running == null) {
            running = start();
            context.interruption().guard(running);
            peer = running;
            prepare.accept(running);
        }
        return running;
    }

    /**
     * Asks a separate process, and ends it. An interruption of the run does not end the process, since the interruption itself
     * may need it; a timeout does.
     */
    public Figures askAside(String command, Figures arguments, Duration patience) {
        try (Peer aside = start()) {
            CompletableFuture<Void> end = CompletableFuture.runAsync(
                    aside::destroy, CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
            try {
                return aside.ask(command, arguments);
            } finally {
                end.cancel(false);
            }
        }
    }

    private Peer start() {
        if (where.command() != null) {
            return context.startUnguarded(where.command(), where.part());
        }
        ProcessPriority possible = where.priority().possible();
        priority = possible;
        return start(possible, context.folder().directory(), where.heapBytes(), where.main());
    }

    /**
     * Starts a generator of this host; its log is {@code generator.log} in {@code logs}.
     *
     * @param main serves a {@link GeneratorLoop}
     */
    public static ChildProcess start(ProcessPriority priority, Path logs, long heapBytes, Class<?> main) {
        List<String> command = priority.command(JavaProcess.command(heapBytes, main));
        return ChildProcess.start("generator", command, MemoryLimit.none(), logs);
    }

    /** Returns its priority for a result; null if it is on another host, was not needed, or has the usual one. */
    public @Nullable String priority() {
        return priority == null ? null : priority.text();
    }

    /** Ends the process; the next use starts another one. */
    @Override
    public void close() {
        Peer running = peer;
        peer = null;
        if (running != null) {
            running.close();
        }
    }
}
