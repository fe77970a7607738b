package dev.larder.array;

import dev.larder.array.barrier.Message;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.form.PullState;
import dev.larder.array.link.LinkEncryption;
import dev.larder.array.link.LinkOptions;
import dev.larder.array.link.Links;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.node.AgeQuestions;
import dev.larder.array.node.ArrayFile;
import dev.larder.array.node.ArrayKeyspace;
import dev.larder.array.node.ClusterCommands;
import dev.larder.array.node.Moves;
import dev.larder.array.node.Publications;
import dev.larder.array.node.RecordKeeper;
import dev.larder.array.node.Retention;
import dev.larder.array.node.Stripes;
import dev.larder.array.node.TopologyCommands;
import dev.larder.array.plan.Topology;
import dev.larder.array.pull.PullLink;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.stripe.StripeClock;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.session.SessionHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node of an array: a server in Redis' protocol whose keys are kept equal on several nodes. Each stripe has a share of the
 * keys, and members on some of the nodes. A write is acknowledged once a majority of the members has it durably. Reads are
 * linearizable.
 *
 * <pre>
 * DIRECTORY/array.ctl      the node and the array of these files
 * DIRECTORY/array.members  the stripes of which it has members
 * DIRECTORY/record.json    the nodes, and where the stripes are to be
 * DIRECTORY/raft           the logs of its members
 * DIRECTORY/stripes/N      the store of stripe N
 * </pre>
 */
public final class ArrayNode implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long TICK_MILLIS = 100;
    private static final int TICKS_A_VERSION = 5;

    /** The ticks between two lookups of hosts that are unknown or not linked: the JVM does not repeat a failed lookup sooner. */
    private static final int TICKS_A_LOOK = 100;

    /** After so many refusals the members have elected another leader, or wait for the time-outs of Raft. */
    private static final int REFUSALS_MOST = 10;

    private static final String RECORD = "record.json";

    private final ArrayOptions options;
    private final Optional<LinkEncryption> encryption;
    private final ReadBarrier barrier;
    private final Stripes stripes;
    private final RecordKeeper record;
    private final AgeQuestions ages;
    private final BackupRequests backups = new BackupRequests();
    private final Moves moves;
    private final Retention retention;
    private final TopologyCommands topologyCommands;
    private final Publications publications = new Publications(this::publish);

    /** The parts that are to be closed, the last one first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final Members members;
    private final RaftNode raft;
    private final Links links;
    private final LarderServer server;
    private final TopologyThread topology;
    private int ticks;

    private final SingleRun hostLook = new SingleRun(
            look -> Thread.ofPlatform().daemon().name("larder-hosts").start(look), this::lookForHosts);

    /** The last failure of a duty, which was logged. */
    private @Nullable String lastFailure;

    private boolean isClosed;

    private ArrayNode(ArrayOptions options, Configuration given) {
        this.options = options;
        Configuration configuration = configuration(options, given);
        this.encryption = options.encryption().map(NodeEncryption::read); // before files are opened
        this.barrier = new ReadBarrier(this::send, System::nanoTime);
        this.stripes = new Stripes(options.node(), options.members());
        this.ages = new AgeQuestions(stripes, this::sendTo);
        this.retention = new Retention(stripes);
        try {
            file(options).require(options.directory());
            record = new RecordKeeper(options.directory().resolve(RECORD), founding(options));
            moves = new Moves(options.array(), stripes, record::record, options.electionMost());
            ArrayKeyspace keyspace = new ArrayKeyspace(stripes, this::pulls);
            members = new Members(options, barrier, stripes, this::sendPart, record::learn, keyspace::added);
            opened.push(members);
            topologyCommands =
                    new TopologyCommands(stripes, record, this::topology, this::pulls, encryption.isPresent());
            raft = RaftNode.open(Members.raftOptions(options), members.open(), members::state);
            opened.push(raft);
            links = Links.open(linkOptions(options, record.record()), this::received);
            opened.push(links);
            links.onRefusal(this::refused);
            links.onSilence(raft::reconnect);
            record.listen(this::follow);
            raft.start();
            members.start(raft);
            links.every(TICK_MILLIS, this::tick);
            Map<String, SessionHandler> commands = new HashMap<>(new ClusterCommands(stripes, options.array()).all());
            commands.putAll(publications.all());
            commands.putAll(topologyCommands.all());
            commands.putAll(backups.all((program, frame) -> members.pulls().asked(program, frame)));
            server = LarderServer.start(configuration, keyspace, commands);
            publications.to(server.channels());
            opened.push(server);
            topology = TopologyThread.start(options.node(), this::followRecord);
        } catch (RuntimeException | Error e) {
            closeAll(e);
            throw e;
        }
    }

    private List<PullState> pulls() {
        return members.pulls().states();
    }

    private static ArrayRecord founding(ArrayOptions options) {
        return ArrayRecord.founding(
                new TreeMap<>(options.nodes()), options.mirrors(), options.witnesses(), options.members());
    }

    /** Applies the nodes of a record. */
    private void follow(ArrayRecord known) {
        Map<Integer, NodeAddresses> nodes = new TreeMap<>();
        known.nodes().forEach(node -> nodes.put(node.number(), node.addresses()));
        nodes.computeIfPresent(options.node(), (node, told) -> {
            NodeAddresses own = told.withTlsOf(options.addresses());
            if (!own.equals(told)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "node " + node + " has " + tlsPort(own)
                                + " for clients that use TLS, but the array's record says " + tlsPort(told)
                                + ": run larder array add-node to correct the record");
            }
            return own;
        });
        stripes.nodes(nodes);
        try {
            links.nodes(linkOptions(options, known).nodes());
        } catch (IllegalArgumentException e) {
            LOGGER.log(System.Logger.Level.ERROR, "cannot link to a node of the array: " + e.getMessage(), e);
        }
    }

    private static String tlsPort(NodeAddresses addresses) {
        OptionalInt port = addresses.tlsPort();
        return port.isEmpty() ? "no port" : (addresses.tlsOnly() ? "only port " : "port ") + port.getAsInt();
    }

    private void followRecord() {
        ClosingSteps duties = new ClosingSteps(); // none keeps the others from theirs
        duties.take("members", () -> members.follow(raft, record.record()));
        duties.take("moves", moves::run);
        duties.take("retention", retention::run);
        duties.take("pulls", () -> members.pulls().tick());
        duties.end();
    }

    /** Returns the configuration of the server; rejects settings that a node of an array does not have. */
    private static Configuration configuration(ArrayOptions options, Configuration given) {
        Map.of("databases", "1", "maxmemory", "0").forEach((name, only) -> {
            if (!given.value(name).equals(only)) {
                throw new IllegalArgumentException(name + " " + given.value(name) + ": a node of an array has " + only);
            }
        });
        OptionalInt port = options.addresses().tlsPort();
        String tlsPort = port.isEmpty() ? "0" : Integer.toString(port.getAsInt());
        String givenPort = given.value("tls-port");
        if (!givenPort.equals("0") && !givenPort.equals(tlsPort)) { // CONFIG REWRITE may have written the same one
            throw new IllegalArgumentException(
                    "tls-port " + givenPort + ": the file of the array sets where a node listens, as node."
                            + options.node() + ".tls-port=" + givenPort + ", so that other nodes know the port");
        }
        Configuration own = options.addresses().tlsOnly() ? given.with("port", "0") : given;
        Configuration all = own.with("cluster-enabled", "yes").with("tls-port", tlsPort);
        var _ = all.options(); // checks that the values fit each other, before files are opened
        return all;
    }

    /**
     * Creates the folder of a node, once, before its first start. A node that has lost its files must not be created again under
     * its number: it has forgotten its votes and what it acknowledged.
     *
     * @throws StorageException if there are files in the folder, or it cannot be written
     */
    public static void create(ArrayOptions options) {
        file(options).create(options.directory(), () -> Members.create(options));
    }

    /**
     * Creates the folder of a node of a new array, whose stripes begin with the contents of a backup. All nodes of that array
     * must be created this way, from the same backup.
     *
     * @throws StorageException if there are files in the folder, it cannot be written, or the backup cannot be read
     * @throws dev.larder.memory.CorruptException if a file of the backup is missing or has changed
     * @throws IllegalArgumentException if the backup is of this very array, or has other stripes
     */
    public static void restore(ArrayOptions options, Path backup) {
        ArrayBackup from = ArrayBackup.read(backup);
        from.requireFitting(options);
        file(options).create(options.directory(), () -> {
            Members.create(options);
            Members.own(options).forEach(stripe -> from.restore(stripe, options));
        });
    }

    /**
     * Starts a node that was created. When this returns, the node answers for each stripe as soon as the stripe has a leader. A
     * member that cannot be opened is tried again later.
     *
     * @param configuration of the server; {@code databases} is 1, {@code dir} is not used, and the options say {@code tls-port}
     * @throws IllegalArgumentException if parameters do not fit each other, or an array, or a file of TLS has the wrong
     *     content
     * @throws StorageException if it was never created, cannot listen, a member has lost promises, or no member can be opened
     */
    public static ArrayNode start(ArrayOptions options, Configuration configuration) {
        return new ArrayNode(options, configuration);
    }

    private static ArrayFile file(ArrayOptions options) {
        return new ArrayFile(
                options.array(), options.node(), options.stripes(), options.segmentBytes(), options.valuesOnce());
    }

    /** Returns the folder of a stripe's store. */
    static Path storeDirectory(ArrayOptions options, int stripe) {
        return StoreFiles.store(options, stripe);
    }

    /** Returns the options of the links. Addresses of the record count, except for this node's own. */
    private LinkOptions linkOptions(ArrayOptions options, ArrayRecord known) {
        Map<Integer, InetSocketAddress> others = new HashMap<>();
        known.nodes().forEach(node -> others.put(node.number(), node.addresses().links()));
        if (known.version() == 0) {
            options.nodes().forEach((node, addresses) -> others.putIfAbsent(node, addresses.links()));
        }
        others.remove(options.node());
        return new LinkOptions(
                options.array(), options.node(), options.addresses().links(), others, encryption);
    }

    private void sendTo(ByteBuffer frame, int node) {
        links.send(node, frame);
    }

    /** Sends a part of a pull. The receiver asks again for a part that is lost. */
    private void sendPart(ByteBuffer frame, int node) {
        if (node < 0) {
            backups.answer(node, frame);
            return;
        }
        links.sendIfWritable(node, frame);
    }

    private void send(int node, Message message) {
        links.send(node, message.encode());
    }

    private @Nullable ByteBuffer received(int node, ByteBuffer frame) {
        if (Stripes.isLeadership(frame)) {
            stripes.heard(node, frame);
            return null;
        }
        if (PullLink.isPull(frame)) {
            members.pulls().received(node, frame);
            return null;
        }
        if (AgeQuestions.isAge(frame)) {
            ages.received(node, frame);
            return null;
        }
        if (RecordKeeper.isRecord(frame)) {
            return record.received(frame);
        }
        if (Publications.isPublication(frame)) {
            publications.received(frame);
            return null;
        }
        Message answer = barrier.received(node, Message.decode(frame));
        return answer == null ? null : answer.encode();
    }

    /** Handles the end of a node's process: its stripes need not wait for an election's time-out. */
    private void refused(int node, int times) {
        stripes.gone(node);
        if (times <= REFUSALS_MOST) {
            Thread.ofPlatform().daemon().name("larder-succession").start(() -> {
                try {
                    if (times == 1) {
                        sendToAll(stripes.leadership()); // so that the other nodes compare their logs with this node's
                    }
                    stripes.succeed(node, times);
                } catch (StorageException e) { // a member has just stopped
                    LOGGER.log(System.Logger.Level.DEBUG, "a member stops: " + e.getMessage(), e);
                }
            });
        }
    }

    /** Runs the duties. A failure of one keeps none of the others from running, now or at the next tick. */
    private void tick() {
        duty(barrier::expire);
        duty(raft::tick);
        duty(stripes::tick);
        duty(ages::ask);
        duty(() -> sendToAll(stripes.leadership()));
        if (ticks++ % TICKS_A_VERSION == 0) {
            duty(() -> sendToAll(record.version()));
        }
        if (record.hasNewHosts() || (ticks % TICKS_A_LOOK == 0 && isToLookForHosts())) {
            duty(hostLook::begin);
        }
    }

    /** Returns whether a host may have another address than this node knows. */
    private boolean isToLookForHosts() {
        return record.hasUnknownHosts() || record.record().nodes().stream().anyMatch(node -> !isReached(node.number()));
    }

    private boolean isReached(int node) {
        return node == options.node() || links.isLinked(node);
    }

    private void lookForHosts() {
        duty(() -> record.lookForHosts(this::isReached));
    }

    private void duty(Runnable due) {
        try {
            due.run();
        } catch (StorageException e) { // a member has just stopped; the duty is repeated
            LOGGER.log(System.Logger.Level.DEBUG, "a member stops: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) { // else no duty would run again
            String what = String.valueOf(e);
            if (!what.equals(lastFailure)) { // once for each cause: the duty fails ten times a second
                lastFailure = what;
                LOGGER.log(
                        System.Logger.Level.ERROR, "node " + options.node() + " failed in a periodic task: " + what, e);
            }
        }
    }

    /** Sends clients' publications, without guarantee: a frame is dropped if a link is full. */
    private void publish(ByteBuffer frame) {
        stripes.others().forEach(node -> links.sendIfWritable(node, frame.duplicate()));
    }

    private void sendToAll(ByteBuffer frame) {
        stripes.others().forEach(node -> links.send(node, frame.duplicate()));
    }

    /** Returns the array's record, as this node knows it. */
    ArrayRecord record() {
        return record.record();
    }

    /** Proposes the next record; this node must lead stripe 0. {@link #record} shows whether it was accepted. */
    void propose(ArrayRecord next) {
        topologyCommands.propose(next, false);
    }

    /** Returns the present state of the stripes that this node leads. */
    Topology topology() {
        return moves.topology();
    }

    /** Returns whether this node leads a stripe and serves its keys. */
    public boolean isLeading(int stripe) {
        return stripes.here().stream().anyMatch(one -> one.number() == stripe && one.isReady());
    }

    /** Returns the index of a stripe's log up to which this node has applied entries; -1 if it has no member of the stripe. */
    public long appliedIndex(int stripe) {
        return stripes.here().stream()
                .filter(one -> one.number() == stripe)
                .mapToLong(one -> one.state().appliedIndex().get())
                .findFirst()
                .orElse(-1);
    }

    /** Returns whether this node has a member of a stripe, which runs or has stopped by itself. */
    boolean hasMember(int stripe) {
        return stripes.hasMember(stripe);
    }

    /** Returns the time of this node's member of a stripe. */
    StripeClock clock(int stripe) {
        return stripes.here().stream()
                .filter(one -> one.number() == stripe)
                .map(one -> one.state().clock())
                .findFirst()
                .orElseThrow();
    }

    /** Returns the port for clients: the one for TLS if there is no other. */
    public int port() {
        return server.port();
    }

    private void closeAll(Throwable cause) {
        while (!opened.isEmpty()) {
            close(opened.pop(), cause);
        }
    }

    private static void close(AutoCloseable one, Throwable cause) {
        try {
            one.close();
        } catch (Exception | Error e) { // the others are closed nevertheless
            cause.addSuppressed(e);
        }
    }

    /** Waits until clients are no longer served: a client has asked for a stop, or the node is being closed. */
    public void awaitStop() throws InterruptedException {
        server.awaitStop();
    }

    /**
     * Stops the node. Other nodes take over the stripes that it leads. It answers no message, applies no entry and serves no
     * client. All applied entries are synced. A further call does nothing.
     */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        IllegalStateException failure = new IllegalStateException("node " + options.node() + " did not stop in order");
        close(topology, failure);
        close(members.pulls(), failure);
        close(stripes::handOver, failure);
        close(links, failure);
        close(raft, failure); // the server notifies clients that wait for entries
        close(server, failure);
        close(members, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
