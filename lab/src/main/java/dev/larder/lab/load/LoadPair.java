package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.Peer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A generator, and a target of our own on this host: what an experiment needs to put loads on the target.
 *
 * <p>The target is a process that serves a {@link TargetLoop} with a command {@code start}, which opens a
 * {@link TargetServer} and answers with its {@code port}. Generator and target belong to the caller, who may have the same
 * generator, warmed up by what it did before, load one target after another.
 */
public final class LoadPair {

    private static final int CONNECTIONS = 2;
    private static final String LOOPBACK = "127.0.0.1";

    private final Conductor conductor;
    private final ChildProcess target;
    private final Figures started;
    private final String host;

    private LoadPair(Conductor conductor, ChildProcess target, Figures started, String host) {
        this.conductor = conductor;
        this.target = target;
        this.started = started;
        this.host = host;
    }

    /**
     * Starts the target's server.
     *
     * @param configuration what {@code start} takes; where it names no {@code host}, the target listens on loopback
     * @param directory gets a directory for each load
     */
    public static LoadPair of(Peer generator, ChildProcess target, Figures configuration, Path directory) {
        Figures started = target.ask("start", configuration);
        String host = configuration.has("host") ? configuration.text("host") : LOOPBACK;
        return new LoadPair(new Conductor(generator, Optional.of(target), directory), target, started, host);
    }

    /** Returns who runs loads. */
    public Conductor conductor() {
        return conductor;
    }

    /** Returns the process under load. */
    public ChildProcess target() {
        return target;
    }

    /** Returns what the target answered when it was started. */
    public Figures started() {
        return started;
    }

    /** Returns a load of Poisson arrivals on the target. */
    public LoadSettings settings(Figures workload, LoadPlan plan, long seed) {
        Figures driver = new Figures()
                .put("name", "socket")
                .put("host", host)
                .put("port", started.whole("port"))
                .put("connections", CONNECTIONS);
        return LoadSettings.of(driver, workload, plan, seed);
    }
}
