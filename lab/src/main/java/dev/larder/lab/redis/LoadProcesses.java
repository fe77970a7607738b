package dev.larder.lab.redis;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.Conductor;
import dev.larder.lab.load.KnownTarget;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.Peer;
import dev.larder.lab.process.ProcessPriority;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The processes of a run of the experiment {@code load}: the generator, and the target if the lab starts it. */
final class LoadProcesses implements AutoCloseable {

    /** The heap of a generator, which limits its requests in flight. */
    static final long HEAP_BYTES = 512L << 20;

    private static final String GENERATOR = "generator";
    private static final String TARGET = "target";
    private static final long ENTRY_BYTES = 150;

    /** The end of an interrupted run waits slightly longer for it. */
    private static final Duration CLEANING = Duration.ofSeconds(25);

    private final LoadOptions options;
    private final RunContext context;
    private @Nullable RedisServer server;
    private final LoadGenerator generator;
    private @Nullable Peer target;
    private @Nullable RedisClientSettings redis;
    private Figures driver = new Figures().put("name", "echo");

    LoadProcesses(LoadOptions options, RunContext context) {
        this.options = options;
        this.context = context;
        generator = new LoadGenerator(
                context,
                new LoadGenerator.Where(
                        options.hosts().generator(),
                        GENERATOR,
                        HEAP_BYTES,
                        RedisGenerator.class,
                        ProcessPriority.RAISED));
    }

    /** Returns the main classes that may run on another host, by part. */
    static Map<String, Class<?>> parts() {
        return Map.of(GENERATOR, RedisGenerator.class, TARGET, KnownTarget.class);
    }

    /** Starts them all, and fills the keys; returns how the target names itself, or null. */
    @Nullable
    String start() {
        startServers();
        if (options.target().isKnown()) {
            startTarget();
        }
        return options.target().isRedis() ? fill() : null;
    }

    private void startServers() {
        if (options.target().kind() != LoadTarget.Kind.START) {
            return;
        }
        checkMemory();
        Path directory = context.data().resolve("redis");
        server = options.cluster() ? RedisServer.startCluster(directory) : RedisServer.start(directory);
    }

    private void checkMemory() {
        long needed = options.keys().count() * (options.keys().valueBytes() + ENTRY_BYTES);
        if (needed > Machine.memoryBytes() / 2) {
            throw new LabException("--target start would need " + ByteSize.format(needed) + " of memory ("
                    + options.keys().count() + " keys x (" + options.keys().valueBytes() + " + " + ENTRY_BYTES
                    + ") B), more than half of this machine's " + ByteSize.format(Machine.memoryBytes()));
        }
    }

    private void startTarget() {
        LoadOptions.Hosts hosts = options.hosts();
        Peer started = hosts.targetOn() == null
                ? context.start(TARGET, JavaProcess.command(HEAP_BYTES, KnownTarget.class))
                : context.startThere(hosts.targetOn(), TARGET);
        target = started;
        String host = hosts.targetOn() == null ? "127.0.0.1" : hosts.targetHost();
        Figures answer =
                started.ask("start", options.target().behaviour(options.seed()).put("host", host));
        driver = Conductor.socket(host, answer, options.connections());
    }

    private @Nullable String fill() {
        RedisServer started = server;
        RedisClientSettings settings = new RedisClientSettings(
                started == null ? options.target().toString() : started.addresses(),
                options.cluster(),
                options.keys().count(),
                options.keys().valueBytes(),
                options.keys().fill());
        driver = settings.figures()
                .put("name", "redis")
                .put("connections", options.connections())
                .put("parted", false);
        Object told = generator().ask("server", settings.figures()).get("server");
        redis = settings;
        if (options.keys().fill()) {
            context.progress().line("filling " + options.keys().count() + " keys");
            generator().ask("fill", settings.figures());
        }
        return told instanceof String text ? text : null;
    }

    Peer generator() {
        return generator.peer();
    }

    Optional<Peer> target() {
        return Optional.ofNullable(target);
    }

    Figures driver() {
        return driver;
    }

    /** Returns the use so far of the servers started for the run; nothing without them. */
    Figures used() {
        return server == null ? new Figures() : server.used();
    }

    /** If the run was interrupted or broke off, its generator is lost: then another one cleans up. */
    private void deleteKeys(RedisClientSettings settings) {
        try {
            generator().ask("delete", settings.figures());
        } catch (LarderException e) {
            generator.close();
            generator.askAside("delete", settings.figures(), CLEANING);
        }
    }

    @Override
    public void close() {
        RedisClientSettings settings = redis;
        if (settings != null && !options.keys().keep() && server == null) {
            try {
                deleteKeys(settings);
            } catch (LarderException e) {
                context.progress().line("cannot delete the keys larder-lab:*: " + e.getMessage());
            }
        }
        generator.close();
        if (target != null) {
            target.close();
        }
        if (server != null) {
            server.close();
        }
    }
}
