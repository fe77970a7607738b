package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.EntryValues;
import dev.larder.array.stripe.StripeState;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.Access;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.SizeInBytes;
import org.jspecify.annotations.Nullable;

/** Raft on a node: one server, and a member of each of its stripes. Thread-safe. */
public final class RaftNode implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** How long {@link #close} waits. A slower server is left to the end of the process: the node has more to close. */
    private static final Duration CLOSE_MOST = Duration.ofSeconds(30);

    /** The name of a folder that does not exist. */
    private static final String NOTHING = "nothing";

    static {
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit(); // Ratis 3.3.0 ends the process if it cannot listen
        Thread.setDefaultUncaughtExceptionHandler(handler); // Ratis has replaced it by one that says nothing
    }

    private final RaftOptions options;
    private final RaftServer server;
    private final JoiningPeers joining;
    private final FormerListeners former;
    private final DurablePromises promises;
    private final JointVoters voters = new JointVoters();
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    /** What Ratis was given for the member of a stripe that it is starting. */
    private final Map<UUID, StripeMachine> starting;

    /** The members that have had no entry yet, as far as is known. */
    private final Set<UUID> withoutEntries = ConcurrentHashMap.newKeySet();

    private RaftNode(
            RaftOptions options,
            RaftServer server,
            JoiningPeers joining,
            FormerListeners former,
            DurablePromises promises,
            Map<UUID, StripeMachine> starting) {
        this.starting = starting;
        this.options = options;
        this.server = server;
        this.joining = joining;
        this.former = former;
        this.promises = promises;
    }

    /**
     * Creates the files of a new member. The member does not run.
     *
     * @param stripe the Raft group of the stripe
     * @throws StorageException if they cannot be written
     */
    public static void make(RaftOptions options, UUID stripe) {
        Path folder = options.directory().resolve(stripe.toString());
        try {
            SystemStorage.system().createDirectories(folder, Access.OWNER);
            try (RaftStorage storage = RaftStorage.newBuilder()
                    .setDirectory(folder.toFile())
                    .setOption(StartupOption.FORMAT)
                    .setStorageFreeSpaceMin(SizeInBytes.ONE_KB)
                    .build()) {
                storage.initialize();
            }
            MemberFiles.begin(folder);
            DiskSync.SYSTEM.sync(folder.resolve("current"));
            DiskSync.SYSTEM.sync(folder); // else a power loss could take files which the node is said to have
        } catch (IOException e) {
            throw failed(options, "cannot make its log of stripe " + stripe, e);
        }
    }

    /**
     * Opens the Raft server of a node, to which its members are then added.
     *
     * @param stripes the stripes of those members
     * @param states returns the state that the entries of a stripe change
     * @throws StorageException if the folder cannot be used
     * @throws LostPromisesException if files of a member are missing. It has forgotten its log and its promises, and must not
     *     vote: it is removed, and another takes its place
     */
    public static RaftNode open(RaftOptions options, Collection<UUID> stripes, Function<UUID, StripeState> states) {
        return open(options, stripes, states, properties -> {});
    }

    /** Opens a server with other settings, for tests that show what Ratis does by itself. */
    static RaftNode open(
            RaftOptions options,
            Collection<UUID> stripes,
            Function<UUID, StripeState> states,
            Consumer<RaftProperties> others) {
        // Every member is checked, even if the first one has a term.
        long term = stripes.stream()
                .mapToLong(stripe -> MemberFiles.requireWhole(options, stripe))
                .max()
                .orElse(0);
        boolean isNew = term == 0;
        RaftProperties properties = RaftSettings.of(options, isNew);
        RaftConfigKeys.Rpc.setType(properties, new WatchedGrpc());
        others.accept(properties);
        JoiningPeers joining = new JoiningPeers();
        DurablePromises promises = new DurablePromises(DiskSync.SYSTEM);
        Map<UUID, StripeMachine> starting = new ConcurrentHashMap<>();
        ThreadGroup threads = new ThreadGroup(options.member().toString());
        // Ratis would open the members that it finds, without their peers. So it sees no folder until a member is
        // added.
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(options.directory().resolve(NOTHING).toFile()));
        try {
            Parameters parameters = parameters(options);
            WatchedGrpc.put(parameters, joining, promises);
            RaftServer server = RaftServer.newBuilder()
                    .setServerId(id(options.member()))
                    .setProperties(properties)
                    .setParameters(parameters)
                    .setThreadGroup(threads)
                    .setStateMachineRegistry(group -> {
                        StripeMachine machine = new StripeMachine(states.apply(group.getUuid()));
                        starting.put(group.getUuid(), machine);
                        return machine;
                    })
                    .build();
            RaftServerConfigKeys.setStorageDir( // the server reads it whenever a member is added
                    properties, List.of(options.directory().toFile()));
            return new RaftNode(options, server, joining, new FormerListeners(threads), promises, starting);
        } catch (IOException e) {
            throw failed(options, "cannot open its logs", e);
        }
    }

    private static Parameters parameters(RaftOptions options) throws IOException {
        return options.encryption().isPresent()
                ? RaftEncryption.parameters(options.encryption().get())
                : new Parameters();
    }

    /**
     * Starts the server, which listens from now on.
     *
     * @throws StorageException if the address is taken
     */
    public void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw failed(options, "cannot start", e);
        } catch (ExitUtils.ExitException e) {
            throw failed(options, "cannot listen on " + options.address(), deepest(e));
        }
    }

    /**
     * Starts this node's member of a stripe, which was made before.
     *
     * @param peers the members with which the stripe began; its log knows the present ones
     * @throws StorageException if its log is damaged
     */
    public void add(UUID stripe, List<StripePeer> peers) {
        MemberFiles.requireWhole(options, stripe);
        add(stripe, group(stripe, peers));
    }

    /**
     * Starts this node's member of a stripe, before the leader adds it to the others. Until the log that it gets counts it as a
     * voter, the member is a listener: it votes for no candidate, and waits.
     *
     * @throws StorageException if its files are not whole
     */
    public void join(UUID stripe) {
        MemberFiles.requireWhole(options, stripe);
        RaftPeer self = RaftPeer.newBuilder()
                .setId(server.getId())
                .setAddress(StripePeer.text(options.address()))
                .setStartupRole(RaftPeerRole.LISTENER)
                .build();
        add(stripe, RaftGroup.valueOf(RaftGroupId.valueOf(stripe), self));
    }

    /**
     * Checks that the log of a member that does not run reaches as far as its state does.
     *
     * @param applied the last entry whose effects are durable in the state
     * @throws LostPromisesException if it does not: the member has lost entries
     */
    public static void requireEntries(RaftOptions options, UUID stripe, long applied) {
        MemberFiles.requireReaching(options, stripe, applied);
    }

    /**
     * Drops the log of a member that does not run and whose state was pulled, if the log differs from the stripe's log. Such a
     * log holds another entry than the committed one in the place of the state. The member keeps its term and its vote.
     *
     * @param applied the last entry whose effects are durable in the state
     * @throws StorageException if files cannot be read or deleted
     * @throws LostPromisesException if the log differs from a state that was not pulled
     */
    public static void dropParted(RaftOptions options, UUID stripe, Place applied) {
        MemberFiles.dropParted(options, stripe, applied);
    }

    /**
     * Reconciles the log of a member that does not run with the values of its entries, which lie elsewhere. Cuts off last entries
     * whose values were not written to their end: these entries were never acknowledged.
     *
     * @param kept the entry up to which the state is durable
     * @throws StorageException if files cannot be changed
     * @throws LostPromisesException if values are missing
     */
    public static void settleValues(RaftOptions options, UUID stripe, long kept, EntryValues values) {
        MissingValues.settle(options, stripe, kept, values);
    }

    private void add(UUID stripe, RaftGroup group) {
        MemberFiles.dropReplacedMembers(options, stripe);
        starting.remove(stripe);
        boolean isStarted = false;
        try {
            manage(
                    GroupManagementRequest.newAdd(client, server.getId(), nextCall(), group, false),
                    "cannot start its member of stripe " + stripe);
            isStarted = true;
        } finally {
            StripeMachine machine = starting.remove(stripe);
            if (!isStarted && machine != null) {
                machine.endFailedStart();
            }
        }
        withoutEntries.add(stripe);
        voters.add(stripe, division(stripe));
    }

    /** Stops this node's member of a stripe. Its files stay, and with them its promises. */
    public void remove(UUID stripe) {
        withoutEntries.remove(stripe);
        voters.remove(stripe);
        manage(
                GroupManagementRequest.newRemove(
                        client, server.getId(), nextCall(), RaftGroupId.valueOf(stripe), false, false),
                "cannot stop its member of stripe " + stripe);
    }

    private void manage(GroupManagementRequest request, String failure) {
        try {
            RaftClientReply reply = server.groupManagement(request);
            if (!reply.isSuccess()) {
                throw new IOException(reply.getException());
            }
        } catch (IOException e) {
            throw failed(options, failure, e);
        }
    }

    /**
     * Drops the connection to a node, so that the next message opens another one. Ratis 3.3.0 keeps a connection for as long as
     * TCP does. A machine that has vanished closes no connection. Once it is back, TCP may wait for as long as the machine was
     * away.
     *
     * @param node a node that has been silent for seconds: calls in flight on the connection fail
     */
    public void reconnect(int node) {
        Thread.ofPlatform().daemon().name("larder-array-reconnect").start(() -> {
            Thread.currentThread().interrupt(); // else Ratis would give the calls in flight three more seconds
            server.getServerRpc()
                    .handleException(id(new MemberName(node, 0)), new IOException("node " + node + " is silent"), true);
        });
    }

    /** Returns whether there are files of a member of a stripe, running or not. */
    public static boolean hasFiles(RaftOptions options, UUID stripe) {
        return Files.exists(options.directory().resolve(stripe.toString()));
    }

    /** Returns whether this node's member of a stripe runs. It stops by itself once others tell it that it is removed. */
    public boolean isAlive(UUID stripe) {
        return division(stripe).getInfo().isAlive();
    }

    /** Returns the access to the members' logs. */
    public RaftLogs logs() {
        return new RaftLogs(this, options);
    }

    /** Returns the transfers of the stripes that this node leads. */
    public RaftTransfers transfers() {
        return new RaftTransfers(this);
    }

    /** Returns the elections that this node calls by itself. */
    public RaftElections elections() {
        return new RaftElections(this);
    }

    /** Returns the memberships of the stripes. */
    public RaftConfigurations configurations() {
        return new RaftConfigurations(this);
    }

    ClientId client() {
        return client;
    }

    long nextCall() {
        return calls.incrementAndGet();
    }

    private static Throwable deepest(Throwable error) {
        Throwable cause = error.getCause();
        return cause == null ? error : deepest(cause);
    }

    private static StorageException failed(RaftOptions options, String what, Throwable e) {
        return new StorageException(
                "Raft of member " + options.member() + " in " + options.directory() + " " + what + ": "
                        + e.getMessage(),
                e);
    }

    static RaftPeerId id(MemberName member) {
        return RaftPeerId.valueOf(member.toString());
    }

    static RaftGroup group(UUID stripe, List<StripePeer> members) {
        List<RaftPeer> peers = members.stream().map(StripePeer::toPeer).toList();
        return RaftGroup.valueOf(RaftGroupId.valueOf(stripe), peers);
    }

    /** Does the work that is due. To be called several times a second. */
    public void tick() {
        former.look(); // first, so that no error of the other steps prevents it
        joining.look();
        voters.look();
        settle();
    }

    /** Records which members have entries by now. A member that has stopped, or whose files fail, keeps no other from it. */
    private void settle() {
        StorageException failure = null;
        for (UUID stripe : List.copyOf(withoutEntries)) {
            try {
                if (hasCommitted(division(stripe).getRaftLog())
                        && MemberFiles.settle(options.directory().resolve(stripe.toString()))) {
                    withoutEntries.remove(stripe);
                }
            } catch (IllegalStateException e) { // its log is closed
                LOGGER.log(System.Logger.Level.DEBUG, "the member of stripe " + stripe + " has stopped: " + e);
            } catch (StorageException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Returns whether a log has a committed entry. Others may go again, and the log with them; so may entries before pulled
     * files.
     */
    private static boolean hasCommitted(RaftLog log) {
        long committed = log.getLastCommittedIndex();
        return committed >= 0 && log.getTermIndex(committed) != null;
    }

    /**
     * Records durably that the log of a member which does not run may be empty from now on: all its entries are in the state.
     *
     * @throws StorageException if that cannot be written
     */
    public static void mayHaveNoEntries(RaftOptions options, UUID stripe) {
        MemberFiles.mayHaveNoEntries(options.directory().resolve(stripe.toString()));
    }

    /**
     * Returns whether a member which does not run may continue after the first entry of its leader's log. If so, records durably
     * that its log may be empty. It may not once it has seen a later term: it may have acknowledged entries of another leader,
     * and would forget them.
     *
     * @param begun the report of the leader, which has applied that entry
     * @throws StorageException if files are missing, or cannot be written
     */
    public static boolean mayFollow(RaftOptions options, UUID stripe, LogBeginning begun) {
        return MemberFiles.mayFollow(options, stripe, begun);
    }

    /** Returns this node's member of a stripe. */
    public LocalMember member(UUID stripe) {
        return new RaftMember(division(stripe));
    }

    RaftServer.Division division(UUID stripe) {
        try {
            return server.getDivision(RaftGroupId.valueOf(stripe));
        } catch (IOException e) {
            throw failed(options, "has no member of stripe " + stripe, e);
        }
    }

    /** Returns the leader of a stripe, as far as this node knows; empty while there is none. */
    public Optional<MemberName> leader(UUID stripe) {
        try {
            return Optional.ofNullable(server.getDivision(RaftGroupId.valueOf(stripe))
                            .getInfo()
                            .getLeaderId())
                    .map(leader -> MemberName.parse(leader.toString()));
        } catch (IOException e) { // it has just been removed
            return Optional.empty();
        }
    }

    /** Returns how many committed entries a member lacks, as far as this node, the stripe's leader, knows. */
    public long lag(UUID stripe, MemberName member) {
        long own = 0;
        long other = 0;
        for (CommitInfoProto known : division(stripe).getCommitInfos()) {
            RaftPeerId peer = RaftPeerId.valueOf(known.getServer().getId());
            own = peer.equals(server.getId()) ? known.getCommitIndex() : own;
            other = peer.equals(id(member)) ? known.getCommitIndex() : other;
        }
        return own - other;
    }

    /**
     * Submits an entry to a stripe that this node leads, once: it is never sent again. If the future fails, the entry may still
     * take effect; only its replies prove that it has. Does not wait.
     *
     * @param reads the reads between its operations, which run if this node applies the entry as the leader that made it
     * @return the replies, or a {@link NotCommittedException}
     */
    public CompletableFuture<ByteBuffer> submit(UUID stripe, ByteBuffer entry, EntryReads reads) {
        return submit(stripe, EntryMessage.ANY_TERM, entry, reads);
    }

    /** Submits an entry that is appended in one term alone: in another one it is refused. Otherwise as without a term. */
    public CompletableFuture<ByteBuffer> submit(UUID stripe, long term, ByteBuffer entry, EntryReads reads) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(RaftGroupId.valueOf(stripe))
                .setCallId(calls.incrementAndGet())
                .setMessage(new EntryMessage(UnsafeByteOperations.unsafeWrap(entry), reads, term))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            // The server's own method would block the caller.
            return ((RaftClientAsynchronousProtocol) division(stripe))
                    .submitClientRequestAsync(request)
                    .thenApply(RaftNode::replies);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(new NotCommittedException(e));
        }
    }

    private static ByteBuffer replies(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new NotCommittedException(Objects.requireNonNull(reply.getException()));
        }
        return reply.getMessage().getContent().asReadOnlyByteBuffer();
    }

    /** Returns the peers to which this node's leaders send. */
    JoiningPeers joining() {
        return joining;
    }

    /** Returns what the members have promised durably. */
    DurablePromises promises() {
        return promises;
    }

    /** Returns the server, for operations that this class does not offer. */
    RaftServer server() {
        return server;
    }

    /**
     * Stops the members. A server that does not end within {@link #CLOSE_MOST} is left to the end of the process, with a warning.
     */
    @Override
    public void close() {
        FutureTask<@Nullable Void> closing = new FutureTask<>(() -> {
            server.close();
            return null;
        });
        Thread.ofPlatform().daemon().name("larder-array-close").start(closing);
        try {
            closing.get(CLOSE_MOST.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    options.directory() + ": Raft has not stopped within " + CLOSE_MOST.toSeconds()
                            + " s; it ends with the process");
        } catch (ExecutionException e) {
            throw failed(options, "cannot close", Objects.requireNonNullElse(e.getCause(), e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
