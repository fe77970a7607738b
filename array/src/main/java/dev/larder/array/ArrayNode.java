package dev.larder.array;

import dev.larder.array.barrier.Message;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.link.LinkOptions;
import dev.larder.array.link.Links;
import dev.larder.array.node.ArrayFile;
import dev.larder.array.node.Stripe;
import dev.larder.array.node.StripeDatabase;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.ratis.RaftNode.Presence;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node of an array: a server in Redis' protocol whose strings are kept equal on all nodes. Writes are acknowledged once a
 * majority has them durably; reads are linearizable. So far an array has one stripe, of which every node is a member.
 *
 * <pre>
 * DIRECTORY/array.ctl    whose files these are
 * DIRECTORY/raft         the log of the stripe
 * DIRECTORY/stripe       its store
 * </pre>
 */
public final class ArrayNode implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long EXPIRE_MILLIS = 100;

    private final ArrayOptions options;
    private final UUID stripeId;
    private final ReadBarrier barrier;

    /** What is to be closed, the last one first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final Links links;
    private final StoreStripe state;
    private final RaftNode raft;
    private final LarderServer server;

    private ArrayNode(ArrayOptions options, Configuration configuration) {
        this.options = options;
        this.stripeId = UUID.nameUUIDFromBytes((options.array() + "/0").getBytes(StandardCharsets.US_ASCII));
        this.barrier = new ReadBarrier(this::send, System::nanoTime);
        try {
            ArrayFile file = ArrayFile.open(options.directory(), options.array(), options.node());
            if (!file.made()) {
                removeHalfMade(options.directory().resolve("raft"));
            }
            state = StoreStripe.open(
                    options.directory().resolve("stripe"),
                    options.segmentBytes(),
                    InstantSource.system(),
                    () -> barrier.roleChanged(stripeId),
                    this::stop);
            opened.push(state);
            raft = RaftNode.open(raftOptions(options), stripeId, members(options), presence(file), stripe -> state);
            opened.push(raft);
            file.writeMade(options.directory());
            barrier.add(stripeId, raft.member(stripeId));
            links = Links.open(linkOptions(options), (node, frame) -> {
                Message answer = barrier.received(node, Message.decode(frame));
                return answer == null ? null : answer.encode();
            });
            opened.push(links);
            links.every(EXPIRE_MILLIS, barrier::expire);
            raft.start();
            Stripe stripe = new Stripe(stripeId, raft, barrier, state);
            server = LarderServer.start(
                    configuration,
                    state.stores(),
                    state.shared(),
                    () -> new StripeDatabase(stripe, state.shared().forLoop(), this::leaderAddress));
        } catch (RuntimeException | Error e) {
            closeAll(e);
            throw e;
        }
    }

    /**
     * Makes the folder of a node, once, before it starts for the first time. A node that has lost its files must not be made
     * again under its number: it has forgotten what it voted and what it acknowledged.
     *
     * @throws StorageException if there are files in the folder, or it cannot be written
     */
    public static void create(ArrayOptions options) {
        ArrayFile.create(options.directory(), options.array(), options.node());
    }

    /**
     * Starts a node that was made. It answers when this returns, as soon as the stripe has a leader.
     *
     * @param configuration of the server; {@code databases} is 1, and {@code dir} is not used
     * @throws StorageException if it was never made, cannot listen, or files cannot be opened or are missing
     */
    public static ArrayNode start(ArrayOptions options, Configuration configuration) {
        return new ArrayNode(options, configuration);
    }

    private static Presence presence(ArrayFile file) {
        return file.made() ? Presence.KNOWN : Presence.NEW;
    }

    /** A member that was not made to its end has never run. */
    private static void removeHalfMade(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new StorageException(folder + " was not made to its end, and cannot be removed: " + e, e);
        }
    }

    private static Map<MemberName, InetSocketAddress> members(ArrayOptions options) {
        return options.nodes().entrySet().stream()
                .collect(Collectors.toMap(
                        node -> new MemberName(node.getKey(), 0),
                        node -> node.getValue().raft()));
    }

    private static NodeAddresses own(ArrayOptions options) {
        return Objects.requireNonNull(options.nodes().get(options.node()));
    }

    private static RaftOptions raftOptions(ArrayOptions options) {
        return RaftOptions.of(
                        new MemberName(options.node(), 0),
                        own(options).raft(),
                        options.directory().resolve("raft"))
                .withStripesMost(1)
                .withElection(options.electionLeast(), options.electionMost());
    }

    private static LinkOptions linkOptions(ArrayOptions options) {
        Map<Integer, InetSocketAddress> others = new HashMap<>();
        options.nodes().forEach((node, addresses) -> others.put(node, addresses.links()));
        others.remove(options.node());
        return new LinkOptions(options.array(), options.node(), own(options).links(), others, options.linkEncryption());
    }

    private void send(int node, Message message) {
        links.send(node, message.encode());
    }

    /** Returns where clients find the leader; empty if there is none, or it is this node and not ready yet. */
    private String leaderAddress() {
        return raft.leader(stripeId)
                .filter(leader -> leader.node() != options.node())
                .map(leader -> options.nodes().get(leader.node()))
                .map(addresses -> addresses.clients().getAddress().getHostAddress() + ":"
                        + addresses.clients().getPort())
                .orElse("");
    }

    /** Returns whether this node leads, and serves. */
    public boolean isLeading() {
        return raft.member(stripeId).isReady();
    }

    /** Returns up to which index of the stripe's log this node has applied entries. */
    public long appliedIndex() {
        return state.appliedIndex().get();
    }

    /** Returns the port for clients. */
    public int port() {
        return server.port();
    }

    private void stop(Throwable cause) {
        LOGGER.log(System.Logger.Level.ERROR, "node " + options.node() + " takes no part any more: " + cause, cause);
    }

    private void closeAll(Throwable cause) {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                cause.addSuppressed(e);
            }
        }
    }

    /** Stops: no message is answered, no entry applied, no client served, and all that was applied is synced. */
    @Override
    public void close() {
        List<AutoCloseable> order = List.of(links, raft, server);
        RuntimeException failure = null;
        for (AutoCloseable one : order) {
            try {
                one.close();
            } catch (Exception e) {
                RuntimeException met = e instanceof RuntimeException known ? known : new IllegalStateException(e);
                if (failure == null) {
                    failure = met;
                } else {
                    failure.addSuppressed(met);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
