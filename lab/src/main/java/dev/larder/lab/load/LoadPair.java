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
 *
 * @param conductor who runs loads
 * @param target the process under load
 * @param driver how requests travel to it
 */
public record LoadPair(Conductor conductor, ChildProcess target, Figures driver) {

    private static final int CONNECTIONS = 2;
    private static final String LOOPBACK = "127.0.0.1";

    /**
     * Starts the target's server.
     *
     * @param configuration what {@code start} takes; where it names no {@code host}, the target listens on loopback
     * @param directory gets a directory for each load
     */
    public static LoadPair of(Peer generator, ChildProcess target, Figures configuration, Path directory) {
        Figures driver = new Figures()
                .put("name", "socket")
                .put("host", configuration.has("host") ? configuration.text("host") : LOOPBACK)
                .put("port", target.ask("start", configuration).whole("port"))
                .put("connections", CONNECTIONS);
        return new LoadPair(new Conductor(generator, Optional.of(target), directory), target, driver);
    }

    /** Returns a load of Poisson arrivals on the target. */
    public LoadSettings settings(Figures workload, LoadPlan plan, long seed) {
        return LoadSettings.of(driver, workload, plan, seed);
    }
}
