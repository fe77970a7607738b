package dev.larder.lab.load;

import dev.larder.lab.RunContext;
import dev.larder.lab.process.Peer;
import dev.larder.lab.process.RemoteProcess;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The generator of a run: a process of this host, which goes before others where that is allowed, or one of another host, at
 * the end of a command that leads there. It is started when it is first needed, and ends with the run.
 */
public final class LoadGenerator implements AutoCloseable {

    private final RunContext context;
    private final Where where;
    private final Consumer<Peer> prepare;
    private @Nullable Peer peer;
    private @Nullable Integer niceness;

    /**
     * Which generator it is, and on which host.
     *
     * @param command leads to another host: {@code ssh HOST larder lab play}; null for this one
     * @param part what it plays on another host
     * @param heapBytes of its JVM on this host
     * @param main its class
     */
    public record Where(@Nullable String command, String part, long heapBytes, Class<?> main) {

        /** The generator of keys, on this host. */
        public static Where here() {
            return new Where(null, "generator", GeneratorProcess.HEAP_BYTES, GeneratorChild.class);
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
            peer = running;
            prepare.accept(running);
        }
        return running;
    }

    private Peer start() {
        Peer started = where.command() == null ? startHere() : startThere(where.command());
        context.interruption().guard(started);
        return started;
    }

    private Peer startHere() {
        GeneratorProcess process =
                GeneratorProcess.startRaised(context.folder().directory(), where.heapBytes(), where.main());
        niceness = process.niceness();
        return process.process();
    }

    private Peer startThere(String command) {
        return RemoteProcess.start(command, where.part(), context.folder().directory());
    }

    /** Returns how nice it is to others of this host; null where it is on another host, or was not needed. */
    public @Nullable Integer niceness() {
        return niceness;
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
