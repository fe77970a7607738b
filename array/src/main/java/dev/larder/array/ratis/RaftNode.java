package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.stripe.StripeState;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Raft on a node: one server, and a member of each of its stripes. Thread-safe. */
public final class RaftNode implements AutoCloseable {

    private final RaftOptions options;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    /** Whether the members of a node are made, or are there. */
    public enum Presence {
        /** They are made: there must be no files of theirs. */
        NEW,
        /** They were made before: their files must be there. */
        KNOWN
    }

    private RaftNode(RaftOptions options, RaftServer server) {
        this.options = options;
        this.server = server;
    }

    /**
     * Makes the members of a node, which do not run yet. {@link #start} starts them.
     *
     * @param stripe the Raft group of the stripe
     * @param members its members, and where they listen
     * @param presence whether this node's member is new
     * @param states returns what the entries of a stripe change
     * @throws StorageException if the folder cannot be used, or files are missing of a member that was made before. Such a
     *     member has forgotten its log and its promises, and must not vote: it is removed, and another takes its place
     */
    public static RaftNode open(
            RaftOptions options,
            UUID stripe,
            Map<MemberName, InetSocketAddress> members,
            Presence presence,
            Function<UUID, StripeState> states) {
        return open(options, stripe, members, presence, states, properties -> {});
    }

    /** The same, with other settings: for tests that show what Ratis does by itself. */
    static RaftNode open(
            RaftOptions options,
            UUID stripe,
            Map<MemberName, InetSocketAddress> members,
            Presence presence,
            Function<UUID, StripeState> states,
            Consumer<RaftProperties> others) {
        if (presence == Presence.KNOWN) {
            requireFiles(options, stripe);
        }
        RaftProperties properties = RaftSettings.of(options, presence == Presence.NEW);
        others.accept(properties);
        try {
            RaftServer server = RaftServer.newBuilder()
                    .setServerId(id(options.member()))
                    .setProperties(properties)
                    .setGroup(group(stripe, members))
                    .setOption(presence == Presence.NEW ? StartupOption.FORMAT : StartupOption.RECOVER)
                    .setStateMachineRegistry(group -> new StripeMachine(states.apply(group.getUuid())))
                    .build();
            return new RaftNode(options, server);
        } catch (IOException e) {
            throw failed(options, "cannot open its logs", e);
        }
    }

    /** Ratis would start with term 0 and an empty log, and would vote. */
    private static void requireFiles(RaftOptions options, UUID stripe) {
        Path folder = options.directory().resolve(stripe.toString()).resolve("current");
        Path promises = folder.resolve("raft-meta");
        if (!Files.isRegularFile(promises)) {
            throw new StorageException(promises + " is missing: member " + options.member() + " of stripe " + stripe
                    + " has lost its term and its vote, and must not come back under its name");
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.noneMatch(file -> file.getFileName().toString().startsWith("log_"))) {
                throw new StorageException(folder + " holds no log: member " + options.member() + " of stripe " + stripe
                        + " has lost its entries, and must not come back under its name");
            }
        } catch (IOException e) {
            throw failed(options, "cannot list " + folder, e);
        }
    }

    /**
     * Starts the members.
     *
     * @throws StorageException if the address is taken, or a log is damaged
     */
    public void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw failed(options, "cannot start", e);
        }
    }

    private static StorageException failed(RaftOptions options, String what, IOException e) {
        return new StorageException(
                "Raft of member " + options.member() + " in " + options.directory() + " " + what + ": "
                        + e.getMessage(),
                e);
    }

    private static RaftPeerId id(MemberName member) {
        return RaftPeerId.valueOf(member.toString());
    }

    private static RaftGroup group(UUID stripe, Map<MemberName, InetSocketAddress> members) {
        List<RaftPeer> peers = members.entrySet().stream()
                .map(member -> RaftPeer.newBuilder()
                        .setId(id(member.getKey()))
                        .setAddress(member.getValue())
                        .build())
                .toList();
        return RaftGroup.valueOf(RaftGroupId.valueOf(stripe), peers);
    }

    /** Returns this node's member of a stripe. */
    public LocalMember member(UUID stripe) {
        return new RaftMember(division(stripe));
    }

    private RaftServer.Division division(UUID stripe) {
        try {
            return server.getDivision(RaftGroupId.valueOf(stripe));
        } catch (IOException e) {
            throw failed(options, "has no member of stripe " + stripe, e);
        }
    }

    /** Returns who leads a stripe, as far as this node knows; empty while nobody does. */
    public Optional<MemberName> leader(UUID stripe) {
        return Optional.ofNullable(division(stripe).getInfo().getLeaderId())
                .map(leader -> MemberName.parse(leader.toString()));
    }

    /**
     * Submits an entry to a stripe that this node leads, once: it is never sent again. The entry takes effect, or not, whatever
     * the future says; only its replies say that it has. Does not wait.
     *
     * @return the replies, or a {@link NotCommittedException}
     */
    public CompletableFuture<ByteBuffer> submit(UUID stripe, ByteBuffer entry) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(RaftGroupId.valueOf(stripe))
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
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

    /** Returns the server, for what this class does not offer. */
    RaftServer server() {
        return server;
    }

    /** Stops the members. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw failed(options, "cannot close", e);
        }
    }
}
