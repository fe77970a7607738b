package dev.larder.lab.redis;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.KnownTarget;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.Peer;
import dev.larder.lab.process.RemoteProcess;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The processes of a run of the experiment {@code load}: who sends, and what is put under load where that is ours. */
final class LoadProcesses implements AutoCloseable {

    /** The heap of a generator, whose share is in flight at most. */
    static final long HEAP_BYTES = 512L << 20;

    private static final String GENERATOR = "generator";
    private static final String TARGET = "target";
    private static final long ENTRY_BYTES = 150;

    private final LoadOptions options;
    private final RunContext context;
    private final List<RedisServer> servers = new ArrayList<>();
    private final LoadGenerator generator;
    private @Nullable Peer target;
    private @Nullable RedisClientSettings redis;
    private Figures driver = new Figures().put("name", "echo");

    LoadProcesses(LoadOptions options, RunContext context) {
        this.options = options;
        this.context = context;
        generator = new LoadGenerator(
                context,
                new LoadGenerator.Where(options.hosts().generator(), GENERATOR, HEAP_BYTES, RedisGenerator.class));
    }

    /** Returns the main classes that may run on another host, by what they play. */
    static Map<String, Class<?>> parts() {
        return Map.of(GENERATOR, RedisGenerator.class, TARGET, KnownTarget.class);
    }

    /** Starts them all, and fills the keys; returns what the target says it is, or null. */
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
        servers.addAll(options.cluster() ? RedisCluster.start(directory) : List.of(RedisServer.start(directory)));
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
        Peer started = hosts.targetOn() == null ? startHere() : startThere(hosts.targetOn());
        target = started;
        String host = hosts.targetOn() == null ? "127.0.0.1" : hosts.targetHost();
        Figures answer =
                started.ask("start", options.target().behaviour(options.seed()).put("host", host));
        driver = new Figures()
                .put("name", "socket")
                .put("host", host)
                .put("port", answer.whole("port"))
                .put("connections", options.connections());
    }

    private Peer startHere() {
        return context.start(TARGET, JavaProcess.command(HEAP_BYTES, KnownTarget.class));
    }

    private Peer startThere(String command) {
        Peer peer = RemoteProcess.start(command, TARGET, context.folder().directory());
        context.interruption().guard(peer);
        return peer;
    }

    private @Nullable String fill() {
        List<RedisAddress> addresses = servers.isEmpty()
                ? options.target().addresses().stream().map(RedisAddress::parse).toList()
                : servers.stream()
                        .map(server -> RedisAddress.parse(server.address()))
                        .toList();
        RedisClientSettings settings = new RedisClientSettings(
                addresses,
                options.cluster(),
                options.keys().count(),
                options.keys().valueBytes(),
                options.keys().fill());
        driver = settings.figures().put("name", "redis").put("connections", options.connections());
        Object server = generator().ask("server", settings.figures()).get("server");
        redis = settings;
        if (options.keys().fill()) {
            context.progress().line("filling " + options.keys().count() + " keys");
            generator().ask("fill", settings.figures());
        }
        return server instanceof String text ? text : null;
    }

    Peer generator() {
        return generator.peer();
    }

    Optional<Peer> target() {
        return Optional.ofNullable(target);
    }

    /** Returns how requests travel. */
    Figures driver() {
        return driver;
    }

    /** Returns the servers that were started for the run. */
    List<RedisServer> servers() {
        return servers;
    }

    /** A run that was interrupted, or broke off, has lost its generator: then another one cleans up. */
    private void deleteKeys(RedisClientSettings settings) {
        try {
            generator().ask("delete", settings.figures());
        } catch (LarderException e) {
            generator.close();
            generator().ask("delete", settings.figures());
        }
    }

    @Override
    public void close() {
        RedisClientSettings settings = redis;
        if (settings != null && !options.keys().keep() && servers.isEmpty()) {
            try {
                deleteKeys(settings);
            } catch (LarderException e) {
                context.progress().line("the keys larder-lab:* are still there: " + e.getMessage());
            }
        }
        generator.close();
        if (target != null) {
            target.close();
        }
        servers.forEach(RedisServer::close);
    }
}
