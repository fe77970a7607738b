package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.barrier.Message;
import dev.larder.array.barrier.ReadBarrier;
import dev.larder.array.barrier.Refusal;
import dev.larder.array.barrier.WaitingRead;
import dev.larder.array.link.LinkOptions;
import dev.larder.array.link.Links;
import dev.larder.array.slots.Membership;
import dev.larder.array.stripe.EntryReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.jspecify.annotations.Nullable;

/** A node with Raft, links and the barrier, all real; its one stripe is a {@link Register}. */
final class RegisterNode implements AutoCloseable {

    static final UUID STRIPE = new UUID(3, 3);

    private static final UUID ARRAY = new UUID(4, 4);
    private static final long PATIENCE_SECONDS = 20;
    private static final AtomicLong CALLS = new AtomicLong();
    private static final ClientId CLIENT = ClientId.randomId();

    private final List<StripePeer> peers;
    private final RaftNode raft;
    private final Links links;
    private final ReadBarrier barrier;
    private @Nullable Register register;

    /** A node of a cluster, by its number; it runs once {@link #start} is called. */
    RegisterNode(
            int node,
            Path directory,
            List<InetSocketAddress> raftAddresses,
            List<InetSocketAddress> linkAddresses,
            boolean isNew,
            Consumer<RaftProperties> settings) {
        List<StripePeer> members = new ArrayList<>();
        Map<Integer, InetSocketAddress> others = new HashMap<>();
        for (int i = 0; i < raftAddresses.size(); i++) {
            members.add(new StripePeer(new MemberName(i, 0), raftAddresses.get(i), false));
            if (i != node) {
                others.put(i, linkAddresses.get(i));
            }
        }
        RaftOptions options = RaftOptions.of(
                        new MemberName(node, 0),
                        raftAddresses.get(node),
                        directory.resolve("raft" + node),
                        Optional.empty())
                .withElection(Duration.ofMillis(2500), Duration.ofMillis(4000));
        barrier = new ReadBarrier(this::send, System::nanoTime);
        if (isNew) {
            RaftNode.make(options, STRIPE);
        }
        peers = members;
        raft = RaftNode.open(options, List.of(STRIPE), this::register, settings);
        links = Links.open(
                new LinkOptions(ARRAY, node, linkAddresses.get(node), others, Optional.empty()), (from, frame) -> {
                    Message answer = barrier.received(from, Message.decode(frame));
                    return answer == null ? null : answer.encode();
                });
        links.every(50, barrier::expire);
        links.every(50, raft::tick);
    }

    private void send(int node, Message message) {
        links.send(node, message.encode());
    }

    private Register register(UUID stripe) {
        Register made = new Register(() -> barrier.roleChanged(stripe));
        register = made;
        return made;
    }

    void start() {
        raft.start();
        raft.add(STRIPE, peers);
        barrier.add(STRIPE, raft.member(STRIPE));
    }

    /** Makes this node's member stand for election, as if its leader had asked for it. */
    boolean stand(int gone) {
        return raft.elections().stand(STRIPE, new MemberName(gone, 0));
    }

    /** Returns where this node's log ends. */
    LogEnd end() {
        return raft.elections().end(STRIPE);
    }

    Membership members() {
        return raft.configurations().members(STRIPE);
    }

    /** Changes the voters, some of which are added. This node must lead. */
    CompletableFuture<Void> change(Membership before, Set<MemberName> voters, List<StripePeer> added) {
        return raft.configurations().change(STRIPE, before, voters, Set.of(), Set.of(), added);
    }

    RaftTransfers transfers() {
        return raft.transfers();
    }

    /** Returns the log of its member. */
    RaftLog log() {
        return raft.division(STRIPE).getRaftLog();
    }

    /** Returns the appender that sends the log to a node, if this node leads. */
    Optional<LogAppender> appender(int node) {
        return raft.joining().all().stream()
                .filter(appender -> appender.isRunning()
                        && appender.getFollowerId()
                                .equals(peers.get(node).toPeer().getId()))
                .findAny();
    }

    RaftServer server() {
        return raft.server();
    }

    /** Returns the server to which this node's network hands the messages of leaders. */
    RaftServer receiver() {
        return FollowerAppends.of(raft.server());
    }

    /** Returns whether all that its member has promised is known to be durable. */
    boolean hasDurablePromises() throws IOException {
        RaftStorageMetadata written =
                division().getRaftStorage().getMetadataFile().getMetadata();
        return written.equals(raft.promises().durable(division()));
    }

    /** Returns its member in Ratis. */
    RaftServer.Division division() {
        return raft.division(STRIPE);
    }

    LocalMember member() {
        return raft.member(STRIPE);
    }

    boolean isReady() {
        return raft.member(STRIPE).isReady();
    }

    /** Increments the number and returns it. Empty if this node does not lead, or gets no answer. */
    OptionalLong increment() {
        try {
            return OptionalLong.of(Register.number(submit("").get(PATIENCE_SECONDS, TimeUnit.SECONDS)));
        } catch (ExecutionException | TimeoutException e) {
            return OptionalLong.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        }
    }

    CompletableFuture<ByteBuffer> submit(String entry) {
        return raft.submit(STRIPE, StandardCharsets.UTF_8.encode(entry), EntryReads.NONE);
    }

    /** Submits an increment that is appended in one term alone. */
    CompletableFuture<ByteBuffer> submit(long term) {
        return raft.submit(STRIPE, term, ByteBuffer.allocate(0), EntryReads.NONE);
    }

    Register register() {
        return Objects.requireNonNull(register);
    }

    /** Returns whether Ratis' own linearizable read answers. */
    boolean readsByRatis(long mostMillis) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(CLIENT)
                .setServerId(raft.server().getId())
                .setGroupId(RaftGroupId.valueOf(STRIPE))
                .setCallId(CALLS.incrementAndGet())
                .setMessage(org.apache.ratis.protocol.Message.EMPTY)
                .setType(RaftClientRequest.readRequestType())
                .build();
        try {
            RaftClientAsynchronousProtocol division =
                    (RaftClientAsynchronousProtocol) raft.server().getDivision(RaftGroupId.valueOf(STRIPE));
            RaftClientReply reply = division.submitClientRequestAsync(request).get(mostMillis, TimeUnit.MILLISECONDS);
            return reply.isSuccess();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Reads behind the barrier; empty if the barrier refuses. */
    OptionalLong read() {
        CompletableFuture<Long> index = new CompletableFuture<>();
        barrier.await(STRIPE, new WaitingRead() {
            @Override
            public void confirmed(long at) {
                index.complete(at);
            }

            @Override
            public void refused(Refusal why) {
                index.complete(-1L);
            }
        });
        barrier.ask();
        long at = index.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (at < 0) {
            return OptionalLong.empty();
        }
        CompletableFuture<Void> applied = new CompletableFuture<>();
        register().applied().await(at, () -> applied.complete(null), () -> applied.cancel(false));
        applied.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        return OptionalLong.of(register().value());
    }

    @Override
    public void close() {
        links.close();
        raft.close();
    }
}
