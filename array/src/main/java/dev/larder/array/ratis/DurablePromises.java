package dev.larder.array.ratis;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The promises of this node's members: their terms and votes. No other node hears of a promise before it is durable.
 *
 * <p>Ratis 3.3.0 writes a promise to {@code raft-meta.tmp}, syncs that file, and renames it to {@code raft-meta}. It never syncs
 * the folder, so a power loss may take the rename back. The member would then vote twice in one term. Or it would return to a
 * former term, whose leader makes it cut off entries that it has acknowledged in the later one. So this class syncs the folder:
 *
 * <pre>
 * vote, entries, beginning of the log | Ratis handles the message | the folder is synced | the answer goes
 * own candidacy                       | Ratis votes for itself    | the folder is synced | others are asked
 * </pre>
 *
 * It does so only if the promise differs from the last durable one: about twice an election. If Ratis could not write a promise,
 * the member answers with an error as long as its term is not in the file.
 *
 * <p>Ratis votes for a candidate under the member's lock, but for itself without it. The two may meet in one term. So only the
 * first vote of a term leaves this node, and only if it is the one in the file.
 *
 * <p>Thread-safe.
 */
final class DurablePromises {

    private final DiskSync disk;

    /** The promises of each member. A later member of a stripe begins with none. */
    private final Map<RaftServer.Division, Promises> ofMembers = Collections.synchronizedMap(new WeakHashMap<>());

    /** The promises of a member, as they were last read from its file, or null. */
    private static final class Promises {

        private volatile @Nullable RaftStorageMetadata durable;

        /** The last vote of which another node may have heard. Guarded by this. */
        private @Nullable RaftStorageMetadata vote;
    }

    DurablePromises(DiskSync disk) {
        this.disk = disk;
    }

    /** Returns the promise of a member that is known to be durable; null if none is. */
    @Nullable
    RaftStorageMetadata durable(RaftServer.Division member) {
        return promises(member).durable;
    }

    private Promises promises(RaftServer.Division member) {
        return ofMembers.computeIfAbsent(member, _ -> new Promises());
    }

    /** Returns a server that differs from another one in this alone: its answers to other nodes wait for the promises. */
    RaftServer receiving(RaftServer server) {
        return (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, (_, method, arguments) -> {
                    Object request = arguments == null || arguments.length == 0 ? null : arguments[0];
                    RaftRpcRequestProto header = header(request);
                    if (header == null) {
                        return invoke(server, method, arguments);
                    }
                    RaftServer.Division member = member(server, header);
                    Object reply = invoke(server, method, arguments);
                    return reply instanceof CompletableFuture<?> future
                            ? future.thenApply(answer -> answerLater(member, request, answer))
                            : answer(member, request, reply);
                });
    }

    private Object answerLater(RaftServer.Division member, @Nullable Object request, Object reply) {
        try {
            return answer(member, request, reply);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private Object answer(RaftServer.Division member, @Nullable Object request, Object reply) throws IOException {
        if (request instanceof RequestVoteRequestProto asked
                && !asked.getPreVote()
                && reply instanceof RequestVoteReplyProto vote
                && vote.getServerReply().getSuccess()) {
            requireVote(member, asked);
        } else {
            requireTerm(member, Math.max(leaderTerm(request), term(reply)));
        }
        return reply;
    }

    /** Returns services that differ from others in this alone: a candidate's own vote is durable before it asks for others. */
    GrpcServices sending(GrpcServices services, RaftServer server) {
        return (GrpcServices) Proxy.newProxyInstance(
                GrpcServices.class.getClassLoader(),
                new Class<?>[] {GrpcServices.class},
                new Sending(services, server));
    }

    /** Returns the services to which {@link #sending} adds. Ratis' appenders need them. */
    static GrpcServicesImpl sender(RaftServerRpc services) {
        return (GrpcServicesImpl)
                (Proxy.isProxyClass(services.getClass())
                                && Proxy.getInvocationHandler(services) instanceof Sending sending
                        ? sending.services
                        : services);
    }

    private final class Sending implements InvocationHandler {

        private final GrpcServices services;
        private final RaftServer server;

        Sending(GrpcServices services, RaftServer server) {
            this.services = services;
            this.server = server;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (arguments != null
                    && arguments.length > 0
                    && arguments[0] instanceof RequestVoteRequestProto request
                    && !request.getPreVote()) {
                requireVote(member(server, request.getServerRequest()), request);
            }
            return DurablePromises.invoke(services, method, arguments);
        }
    }

    /**
     * Makes a vote durable.
     *
     * @throws IOException if it cannot be made durable, is not in the file, or the member has given another vote in its term
     */
    private void requireVote(RaftServer.Division member, RequestVoteRequestProto request) throws IOException {
        RaftStorageMetadata vote = RaftStorageMetadata.valueOf(
                request.getCandidateTerm(),
                RaftPeerId.valueOf(request.getServerRequest().getRequestorId()));
        Promises promises = promises(member);
        synchronized (promises) {
            RaftStorageMetadata last = promises.vote;
            RaftStorageMetadata written = makeDurable(member, promises);
            if (last != null && last.getTerm() == vote.getTerm()) {
                requireSame(member, last, vote);
            }
            requireSame(member, written, vote);
            promises.vote = vote;
        }
    }

    private static void requireSame(RaftServer.Division member, RaftStorageMetadata former, RaftStorageMetadata vote)
            throws IOException {
        if (!former.equals(vote)) {
            throw new IOException(member.getMemberId() + " does not vote for " + vote.getVotedFor() + " in term "
                    + vote.getTerm() + ": it has voted for " + former.getVotedFor() + " in term " + former.getTerm());
        }
    }

    /**
     * Makes durable that a member is in a term, or in a later one.
     *
     * @throws IOException if that cannot be made durable, or Ratis has not written it
     */
    private void requireTerm(RaftServer.Division member, long term) throws IOException {
        RaftStorageMetadata written = makeDurable(member, promises(member));
        if (written.getTerm() < term) {
            throw new IOException(member.getMemberId() + " does not answer in term " + term + ": the file raft-meta in "
                    + folder(member) + " holds term " + written.getTerm());
        }
    }

    /** Makes durable what Ratis has written, and returns it. */
    private RaftStorageMetadata makeDurable(RaftServer.Division member, Promises promises) throws IOException {
        RaftStorageMetadata written =
                member.getRaftStorage().getMetadataFile().getMetadata(); // Ratis keeps it in the heap
        if (!written.equals(promises.durable)) {
            disk.sync(folder(member));
            promises.durable = written;
        }
        return written;
    }

    private static Path folder(RaftServer.Division member) {
        return member.getRaftStorage().getStorageDir().getCurrentDir().toPath();
    }

    private static RaftServer.Division member(RaftServer server, RaftRpcRequestProto header) throws IOException {
        return server.getDivision(RaftGroupId.valueOf(header.getRaftGroupId().getId()));
    }

    /** Returns the header of a message that may make a member promise something; null for any other argument. */
    private static @Nullable RaftRpcRequestProto header(@Nullable Object request) {
        return switch (request) {
            case RequestVoteRequestProto vote -> vote.getServerRequest();
            case AppendEntriesRequestProto append -> append.getServerRequest();
            case InstallSnapshotRequestProto install -> install.getServerRequest();
            case null, default -> null;
        };
    }

    /** Returns the term of a leader that sends a message. A candidate's term says nothing: its voter may not have entered it. */
    private static long leaderTerm(@Nullable Object request) {
        return switch (request) {
            case AppendEntriesRequestProto append -> append.getLeaderTerm();
            case InstallSnapshotRequestProto install -> install.getLeaderTerm();
            case null, default -> 0;
        };
    }

    /** Returns the term that an answer reports. */
    private static long term(Object reply) {
        return switch (reply) {
            case RequestVoteReplyProto vote -> vote.getTerm();
            case AppendEntriesReplyProto append -> append.getTerm();
            case InstallSnapshotReplyProto install -> install.getTerm();
            default -> 0;
        };
    }

    private static Object invoke(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
