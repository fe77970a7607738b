package dev.larder.array;

import dev.larder.array.barrier.Message;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.link.LinkEncryption;
import dev.larder.array.link.LinkOptions;
import dev.larder.array.link.Links;
import dev.larder.array.node.ArrayFile;
import dev.larder.array.node.ArrayKeyspace;
import dev.larder.array.node.ClusterCommands;
import dev.larder.array.node.Publications;
import dev.larder.array.node.Stripe;
import dev.larder.array.node.Stripes;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.array.ratis.StripePeer;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.session.SessionHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node of an array: a server in Redis' protocol whose keys are kept equal on several nodes. Each stripe has a share of the
 * keys, and members on some of the nodes. Writes are acknowledged once a majority of them has them durably; reads are
 * linearizable.
 *
 * <pre>
 * DIRECTORY/array.ctl    whose files these are
 * DIRECTORY/raft         the logs of its members
 * DIRECTORY/stripes/N    the store of stripe N
 * </pre>
 */
public final class ArrayNode implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long TICK_MILLIS = 100;

    private final ArrayOptions options;
    private final Map<UUID, StripeMembers> own = new HashMap<>();
    private final Map<UUID, StoreStripe> states = new HashMap<>();
    private final ReadBarrier barrier;
    private final Stripes stripes;
    private final Publications publications = new Publications(this::sendToAll);

    /** What is to be closed, the last one first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final RaftNode raft;
    private final Links links;
    private final LarderServer server;
    private boolean isClosed;

    private ArrayNode(ArrayOptions options, Configuration configuration) {
        this.options = options;
        this.barrier = new ReadBarrier(this::send, System::nanoTime);
        Map<Integer, InetSocketAddress> clients = new TreeMap<>();
        options.nodes().forEach((node, addresses) -> clients.put(node, addresses.clients()));
        this.stripes = new Stripes(options.node(), options.members(), clients, options.ageMost());
        ownMembers(options).forEach(members -> own.put(members.id(), members));
        requireFitting(configuration);
        try {
            file(options).require(options.directory());
            own.values().forEach(this::openStore);
            raft = RaftNode.open(
                    raftOptions(options), own.keySet(), stripe -> Objects.requireNonNull(states.get(stripe)));
            opened.push(raft);
            links = Links.open(linkOptions(options), this::received);
            opened.push(links);
            raft.start();
            own.values().forEach(this::addMember);
            links.every(TICK_MILLIS, this::tick);
            Map<String, SessionHandler> commands = new HashMap<>(new ClusterCommands(stripes, options.array()).all());
            commands.putAll(publications.all());
            server = LarderServer.start(
                    configuration.with("cluster-enabled", "yes"), new ArrayKeyspace(stripes), commands);
            publications.to(server.channels());
            opened.push(server);
        } catch (RuntimeException | Error e) {
            closeAll(e);
            throw e;
        }
    }

    /** Refuses what a node of an array does not have. */
    private static void requireFitting(Configuration configuration) {
        Map.of("databases", "1", "maxmemory", "0").forEach((name, only) -> {
            if (!configuration.value(name).equals(only)) {
                throw new IllegalArgumentException(
                        name + " " + configuration.value(name) + ": a node of an array has " + only);
            }
        });
    }

    /**
     * Makes the folder of a node, once, before it starts for the first time. A node that has lost its files must not be made
     * again under its number: it has forgotten what it voted and what it acknowledged.
     *
     * @throws StorageException if there are files in the folder, or it cannot be written
     */
    public static void create(ArrayOptions options) {
        file(options)
                .create(
                        options.directory(),
                        () -> ownMembers(options)
                                .forEach(members -> RaftNode.make(raftOptions(options), members.id())));
    }

    /**
     * Starts a node that was made. It answers when this returns, for each stripe as soon as that has a leader.
     *
     * @param configuration of the server; {@code databases} is 1, and {@code dir} is not used
     * @throws StorageException if it was never made, cannot listen, or files cannot be opened or are missing
     */
    public static ArrayNode start(ArrayOptions options, Configuration configuration) {
        return new ArrayNode(options, configuration);
    }

    private static ArrayFile file(ArrayOptions options) {
        return new ArrayFile(options.array(), options.node(), options.stripes(), options.segmentBytes());
    }

    private static List<StripeMembers> ownMembers(ArrayOptions options) {
        return options.members().stream()
                .filter(members -> members.members().contains(new MemberName(options.node(), 0)))
                .toList();
    }

    private static List<StripePeer> peers(ArrayOptions options, StripeMembers members) {
        return members.members().stream()
                .map(member -> new StripePeer(
                        member,
                        Objects.requireNonNull(options.nodes().get(member.node()))
                                .raft()))
                .toList();
    }

    private void openStore(StripeMembers members) {
        StoreStripe state = StoreStripe.open(
                storeDirectory(options, members.number()),
                options.segmentBytes(),
                InstantSource.system(),
                () -> barrier.roleChanged(members.id()),
                cause -> stop(members, cause));
        opened.push(state);
        states.put(members.id(), state);
    }

    /** Returns the folder of a stripe's store. */
    static Path storeDirectory(ArrayOptions options, int stripe) {
        return options.directory().resolve("stripes").resolve(Integer.toString(stripe));
    }

    private void addMember(StripeMembers members) {
        raft.add(members.id(), peers(options, members));
        barrier.add(members.id(), raft.member(members.id()));
        stripes.add(new Stripe(members, raft, barrier, Objects.requireNonNull(states.get(members.id()))));
    }

    private static NodeAddresses addresses(ArrayOptions options) {
        return Objects.requireNonNull(options.nodes().get(options.node()));
    }

    private static RaftOptions raftOptions(ArrayOptions options) {
        return RaftOptions.of(
                        new MemberName(options.node(), 0),
                        addresses(options).raft(),
                        options.directory().resolve("raft"),
                        options.encryption())
                .withStripesMost(Math.max(1, ownMembers(options).size()))
                .withElection(options.electionLeast(), options.electionMost());
    }

    private static LinkOptions linkOptions(ArrayOptions options) {
        Map<Integer, InetSocketAddress> others = new HashMap<>();
        options.nodes().forEach((node, addresses) -> others.put(node, addresses.links()));
        others.remove(options.node());
        return new LinkOptions(
                options.array(), options.node(), addresses(options).links(), others, linkEncryption(options));
    }

    private static Optional<LinkEncryption> linkEncryption(ArrayOptions options) {
        return options.encryption()
                .map(files -> LinkEncryption.of(files.certificates(), files.key(), files.authorities()));
    }

    private void send(int node, Message message) {
        links.send(node, message.encode());
    }

    private @Nullable ByteBuffer received(int node, ByteBuffer frame) {
        if (Stripes.isLeadership(frame)) {
            stripes.heard(node, frame);
            return null;
        }
        if (Publications.isPublication(frame)) {
            publications.received(frame);
            return null;
        }
        Message answer = barrier.received(node, Message.decode(frame));
        return answer == null ? null : answer.encode();
    }

    private void tick() {
        barrier.expire();
        raft.tick();
        stripes.tick();
        sendToAll(stripes.leadership());
    }

    private void sendToAll(ByteBuffer frame) {
        options.nodes().keySet().stream()
                .filter(node -> node != options.node())
                .forEach(node -> links.send(node, frame.duplicate()));
    }

    /** Returns whether this node leads a stripe, and serves its keys. */
    public boolean isLeading(int stripe) {
        return stripes.here().stream().anyMatch(one -> one.number() == stripe && one.isReady());
    }

    /** Returns up to which index of a stripe's log this node has applied entries; -1 if it has no member of it. */
    public long appliedIndex(int stripe) {
        return stripes.here().stream()
                .filter(one -> one.number() == stripe)
                .mapToLong(one -> one.state().appliedIndex().get())
                .findFirst()
                .orElse(-1);
    }

    /** Returns the port for clients. */
    public int port() {
        return server.port();
    }

    private void stop(StripeMembers members, Throwable cause) {
        LOGGER.log(
                System.Logger.Level.ERROR,
                "node " + options.node() + " takes no part in stripe " + members.number() + " any more: " + cause,
                cause);
    }

    private void closeAll(Throwable cause) {
        while (!opened.isEmpty()) {
            close(opened.pop(), cause);
        }
    }

    private static void close(AutoCloseable one, Throwable cause) {
        try {
            one.close();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }

    /** Waits until clients are served no longer: a client has asked for that, or the node is being closed. */
    public void awaitStop() throws InterruptedException {
        server.awaitStop();
    }

    /**
     * Stops: others lead what this node leads, no message is answered, no entry applied, no client served, and all that was
     * applied is synced. Once it has stopped, this does nothing.
     */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        stripes.handOver();
        IllegalStateException failure = new IllegalStateException("node " + options.node() + " did not stop in order");
        close(links, failure);
        close(raft, failure); // clients that wait for entries are told, by the server
        close(server, failure);
        states.values().forEach(state -> close(state, failure));
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
