package dev.larder.array.ratis;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A Raft server whose followers check the leader's term and append its entries in one step, under the member's lock. They
 * acknowledge entries that are durable.
 *
 * <p>Ratis 3.3.0 checks the term under that lock, and appends without it. In between a follower may vote in a later term, for a
 * candidate without the entries. It then appends and acknowledges them in the former term, and that leader may commit them.
 *
 * <p>If a leader sends entries again, Ratis acknowledges those that are in the heap, though they may not be in the log yet, or
 * could not be written. So a follower answers with an error, and the leader sends them once more.
 */
final class FollowerAppends implements InvocationHandler {

    private static final String APPEND = "appendEntriesAsync";

    private final RaftServer server;

    private FollowerAppends(RaftServer server) {
        this.server = server;
    }

    /** Returns a server that differs from another one in this alone. */
    static RaftServer of(RaftServer server) {
        return (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, new FollowerAppends(server));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals(APPEND)
                && arguments != null
                && arguments[0] instanceof AppendEntriesRequestProto request
                && request.getEntriesCount() > 0) {
            return append(request);
        }
        try {
            return method.invoke(server, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /**
     * Appends entries. If the member is to change its role first, Ratis waits for threads which need the lock. So the message
     * comes as a heartbeat before, without the lock. Under the lock, a follower in the leader's term stays one.
     */
    private CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request) throws IOException {
        ByteString group = request.getServerRequest().getRaftGroupId().getId();
        RaftServer.Division member = server.getDivision(RaftGroupId.valueOf(group));
        RaftServerAsynchronousProtocol receiver = (RaftServerAsynchronousProtocol) member;
        long term = request.getLeaderTerm();
        if (!isFollower(member, term)) {
            var _ = receiver.appendEntriesAsync(
                    request.toBuilder().clearEntries().build());
        }
        synchronized (member) {
            if (isFollower(member, term)) {
                return onceDurable(member, receiver.appendEntriesAsync(request));
            }
        }
        // A listener has no vote, and Ratis refuses an earlier term. A candidate of just now is to wait without the
        // lock.
        return onceDurable(member, receiver.appendEntriesAsync(request));
    }

    private static CompletableFuture<AppendEntriesReplyProto> onceDurable(
            RaftServer.Division member, CompletableFuture<AppendEntriesReplyProto> reply) {
        return reply.thenApply(answer -> {
            long durable = member.getRaftLog().getFlushIndex();
            if (answer.getResult() == AppendResult.SUCCESS && answer.getMatchIndex() > durable) {
                throw new IllegalStateException(member.getMemberId() + " does not acknowledge entry "
                        + answer.getMatchIndex() + " yet: its log is durable up to " + durable);
            }
            return answer;
        });
    }

    private static boolean isFollower(RaftServer.Division member, long term) {
        DivisionInfo info = member.getInfo();
        return info.isFollower() && info.getCurrentTerm() == term;
    }
}
