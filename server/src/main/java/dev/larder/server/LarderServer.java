package dev.larder.server;

import dev.larder.log.SyncPolicy;
import dev.larder.server.command.Database;
import dev.larder.server.command.LoopDatabase;
import dev.larder.server.config.SettingException;
import dev.larder.server.config.Settings;
import dev.larder.server.local.Keyspace;
import dev.larder.server.local.LocalKeyspace;
import dev.larder.server.operate.NodeData;
import dev.larder.server.operate.Operation;
import dev.larder.server.push.Channels;
import dev.larder.server.session.Node;
import dev.larder.server.session.SessionHandler;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import dev.larder.server.store.WrongTypeException;
import dev.larder.server.stream.Stream;
import dev.larder.server.transport.Transport;
import dev.larder.server.transport.Transport.EncryptedPort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server for any Redis client, on the maps and queues of a folder. Local JVMs may use the same files meanwhile.
 *
 * {@snippet :
 * try (LarderServer server = LarderServer.start(ServerOptions.of(directory))) {
 *     System.out.println(server.port());
 *     server.awaitStop();
 * }
 * }
 *
 * <p>Its threads are: an event loop for each of {@link ServerOptions#loops}, one that accepts connections, one that commits,
 * and the background of the maps.
 */
public final class LarderServer implements AutoCloseable {

    private final Keyspace keyspace;
    private final Transport transport;
    private final Node node;
    private final Operation operation;
    private boolean closing;
    private boolean closed;

    private LarderServer(Keyspace keyspace, Transport transport, Node node, Operation operation) {
        this.operation = operation;
        this.keyspace = keyspace;
        this.transport = transport;
        this.node = node;
    }

    /**
     * Starts a server; when this returns, it answers.
     *
     * @throws dev.larder.memory.StorageException if it cannot listen, or its files cannot be opened
     * @throws dev.larder.memory.CorruptException if synced bytes of its files are damaged
     */
    public static LarderServer start(ServerOptions options) {
        return start(options, Configuration.of(options), database -> database);
    }

    /** Starts a server in the same way, with another access to the keys for each loop, on the usual one: for tests. */
    static LarderServer start(ServerOptions options, UnaryOperator<Database> way) {
        return start(options, Configuration.of(options), way);
    }

    /**
     * Starts a server with the parameters of a configuration; when this returns, it answers.
     *
     * @throws IllegalArgumentException if parameters do not fit each other, or a file of TLS has the wrong content
     * @throws dev.larder.memory.StorageException if it cannot listen, or its files cannot be opened
     * @throws dev.larder.memory.CorruptException if synced bytes of its files are damaged
     */
    public static LarderServer start(Configuration configuration) {
        return start(configuration.options(), configuration, database -> database);
    }

    private static LarderServer start(ServerOptions options, Configuration configuration, UnaryOperator<Database> way) {
        if (configuration.settings().truth("cluster-enabled")) {
            throw new IllegalArgumentException(
                    "cluster-enabled yes: this server runs alone; only a node of an array is part of a cluster");
        }
        Keyspace keyspace = new LocalKeyspace(
                options.directory(),
                options.databases(),
                storeOptions(options),
                options.durability().always());
        return start(
                options,
                configuration,
                keyspace,
                loop -> {
                    LoopDatabase usual = keyspace.forLoop(loop);
                    return (position, encrypted) -> way.apply(usual.forSession(position, encrypted));
                },
                Map.of());
    }

    /**
     * Starts a server of keys that another module keeps, and closes them with it. For the array.
     *
     * @param commands further handlers of commands, beside those of every server, by their names
     */
    @SuppressWarnings("exports") // its users see those types
    public static LarderServer start(
            Configuration configuration, Keyspace keyspace, Map<String, SessionHandler> commands) {
        return start(configuration.options(), configuration, keyspace, keyspace::forLoop, commands);
    }

    private static LarderServer start(
            ServerOptions options,
            Configuration configuration,
            Keyspace keyspace,
            Function<Executor, LoopDatabase> loops,
            Map<String, SessionHandler> commands) {
        LarderServer server;
        try {
            Operation operation = new Operation(
                    configuration.settings().copy(),
                    configuration.file(),
                    configuration.users(),
                    new NodeData(keyspace::opened, keyspace::parts, keyspace::backup, keyspace::setActiveExpiry));
            List<Map<String, SessionHandler>> handlers = new ArrayList<>(operation.handlers());
            handlers.add(commands);
            Node node = new Node(handlers, operation.settings(), operation.users(), operation.listener());
            operation.attach(node);
            keyspace.listener(node.changes());
            keyspace.setStanding(node.pause()::isOn);
            Transport transport = Transport.listen(
                    options.transport(),
                    options.loops(),
                    options.addresses(),
                    configuration.optionalAddresses(),
                    options.port(),
                    encrypted(configuration),
                    node,
                    loops);
            server = new LarderServer(keyspace, transport, node, operation);
        } catch (RuntimeException | Error e) {
            keyspace.close();
            throw e;
        }
        try {
            server.begin(options);
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static Optional<EncryptedPort> encrypted(Configuration configuration) {
        int port = (int) configuration.settings().whole("tls-port");
        return configuration.encryption().map(encryption -> new EncryptedPort(port, encryption));
    }

    private void begin(ServerOptions options) {
        Settings settings = operation.settings();
        Runnable change =
                () -> keyspace.setAlways(Configuration.durability(settings).always());
        settings.afterChange("appendonly", value -> change.run());
        settings.afterChange("appendfsync", value -> change.run());
        settings.onChange("stream-node-max-entries", value -> keyspace.setStreamNodeEntries(Integer.parseInt(value)));
        settings.onChange("maxmemory", value -> limitMemory(settings));
        settings.onChange("maxmemory-policy", value -> limitMemory(settings));
        settings.onChange("min-replicas-to-write", value -> requireReplicas(settings));
        settings.onChange("min-replicas-max-lag", value -> requireReplicas(settings));
        boolean synced = !options.durability().interval().isZero(); // by the log itself
        operation.start(transport.kind(), port(), synced ? () -> {} : keyspace::syncSoon, this::close);
    }

    private void limitMemory(Settings settings) {
        try {
            keyspace.limitMemory(settings.whole("maxmemory"), EvictionPolicy.of(settings.text("maxmemory-policy")));
        } catch (UnsupportedOperationException e) {
            throw new SettingException(String.valueOf(e.getMessage()));
        }
    }

    /** A single server has no replicas, so it refuses writes that need some; in an array each write is on a majority anyway. */
    private void requireReplicas(Settings settings) {
        boolean wanted = settings.whole("min-replicas-to-write") > 0 && settings.whole("min-replicas-max-lag") > 0;
        if (wanted && !(keyspace instanceof LocalKeyspace)) {
            throw new SettingException("each write of an array is on a majority of its mirrors");
        }
        node.setLacksReplicas(wanted);
    }

    private static StoreOptions storeOptions(ServerOptions options) {
        Durability durability = options.durability();
        boolean none = durability.always() || durability.interval().isZero();
        SyncPolicy policy = none ? SyncPolicy.none() : SyncPolicy.every(durability.interval());
        return StoreOptions.defaults()
                .withSync(policy)
                .withMaxBytes(options.maxFileBytes(), options.evicts())
                .withSegmentBytes(options.segmentBytes());
    }

    Node node() {
        return node;
    }

    /** Returns the channels of its subscribers. For the array. */
    @SuppressWarnings("exports") // its users see the type
    public Channels channels() {
        return node.channels();
    }

    /** Returns the port on which it listens. */
    public int port() {
        return transport.port();
    }

    /** Returns an appender of entries to a stream of database 0. */
    public StreamAppender appender(String key) {
        return appender(0, key.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns an appender of entries to a stream, which is made with the first entry. */
    public StreamAppender appender(int database, byte[] key) {
        LocalKeyspace local = local();
        Objects.checkIndex(database, local.stores().count());
        return new StreamAppender(local.patient(), database, key);
    }

    /** Returns the folder of a stream's queue, from which tailers read its entries; empty if the key holds no stream. */
    public Optional<Path> streamDirectory(int database, byte[] key) {
        Store store = local().stores().store(database);
        try (@Nullable Stream stream = store.stream(Bytes.of(key))) {
            return Optional.ofNullable(stream).map(there -> store.streams().folder(there.number()));
        } catch (WrongTypeException e) {
            return Optional.empty();
        }
    }

    private LocalKeyspace local() {
        if (keyspace instanceof LocalKeyspace local) {
            return local;
        }
        throw new UnsupportedOperationException(
                "an array has no StreamAppender or reader: read and write its streams as a client");
    }

    /** Returns how many clients wait for keys to change, as {@code XREAD BLOCK} does. */
    public int waitingClients() {
        return keyspace.waiting();
    }

    /** Returns the port of loopback on which it reports its health and figures; empty if it does not. */
    public OptionalInt healthPort() {
        return operation.healthPort();
    }

    /** Returns how it waits for sockets: {@code epoll}, {@code io_uring} or {@code nio}. */
    public String transport() {
        return transport.kind();
    }

    /**
     * Writes a backup of all databases, as they are at one moment, to a folder that does not exist yet; {@link Backup} reads
     * it. Clients continue meanwhile; they wait while the indexes are copied in memory.
     */
    public void backup(Path to) {
        keyspace.backup(to);
    }

    /** Waits until the server is closed. */
    public synchronized void awaitStop() throws InterruptedException {
        while (!closed) {
            wait();
        }
    }

    /** Stops the server: it accepts no new connections, closes the open ones, syncs all writes, and closes the maps. */
    @Override
    public void close() {
        synchronized (this) {
            if (closing) {
                awaitClosed();
                return;
            }
            closing = true;
        }
        try (keyspace;
                operation) {
            transport.close();
        } finally {
            synchronized (this) {
                closed = true;
                notifyAll();
            }
        }
    }

    private synchronized void awaitClosed() {
        try {
            awaitStop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
