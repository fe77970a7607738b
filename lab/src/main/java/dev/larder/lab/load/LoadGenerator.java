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
 * The generator of a run: a process of this host, or one of another host, at the end of a command that leads there. It is
 * started when it is first needed, and ends with the run.
 *
 * <p>Where a target may take every processor for a while (a collector on a small machine), a generator of the same
 * priority is late, and its figures are void. So on this host it goes before the others, where it has the right to.
 */
public final class LoadGenerator implements AutoCloseable {

    /** The heap of a generator; what it keeps of its requests is outside. */
    public static final long HEAP_BYTES = 64L << 20;

    private final RunContext context;
    private final Where where;
    private final Consumer<Peer> prepare;
    private @Nullable Peer peer;
    private @Nullable ProcessPriority priority;

    /**
     * Which generator it is, and on which host.
     *
     * @param command leads to another host: {@code ssh HOST larder lab play}; null for this one
     * @param part what it plays on another host
     * @param heapBytes of its JVM on this host
     * @param main its class
     * @param priority its priority on this host, or the next lower one that is possible
     */
    public record Where(
            @Nullable String command, String part, long heapBytes, Class<?> main, ProcessPriority priority) {

        /** The generator of keys, on this host. */
        public static Where here() {
            return new Where(null, "generator", HEAP_BYTES, GeneratorLoop.class, ProcessPriority.RAISED);
        }
    }

    /** A generator that needs nothing before its first load. */
    public LoadGenerator(RunContext context, Where where) {
        this(context, where, generator -> {});
    }

    /** A generator that is prepared once, as soon as it is started. */
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
     * Asks a process of its own, and ends it. No interruption of the run ends it, as it may be what the interruption asks for; time
     * does.
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

    /** Returns its priority as a result states it; null where it is on another host, was not needed, or is as any other. */
    public @Nullable String priority() {
        return priority == null ? null : priority.text();
    }

    /** Ends the process; another one is started if it is needed once more. */
    @Override
    public void close() {
        Peer running = peer;
        peer = null;
        if (running != null) {
            running.close();
        }
    }
}
