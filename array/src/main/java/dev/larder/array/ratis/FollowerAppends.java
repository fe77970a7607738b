package dev.larder.array.ratis;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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
 * could not be written. So a follower answers with an error in two cases, and the leader sends them once more:
 *
 * <ul>
 *   <li>An earlier append of some of these entries is open. It may wait to cut other entries off the log. Until then, the log is
 *       durable up to the last of those.
 *   <li>The log is not durable that far. The earlier append may have failed.
 * </ul>
 */
final class FollowerAppends implements InvocationHandler {

    private static final String APPEND = "appendEntriesAsync";

    /** An append that is not durable yet, by the order of arrival, and the indexes of its entries. */
    private record OpenAppend(long order, long first, long last) {

        boolean mayPrecede(OpenAppend other) {
            return order < other.order && first <= other.last && other.first <= last;
        }
    }

    private final RaftServer server;
    private final AtomicLong orders = new AtomicLong();

    /** The open appends of each member. A member that is closed leaves its own open, and a later one has none of them. */
    private final Map<RaftServer.Division, Set<OpenAppend>> open = Collections.synchronizedMap(new WeakHashMap<>());

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
     * comes as a heartbeat before, without the lock. Under the lock, a follower in the leader's term stays one. A listener may
     * become a follower meanwhile, and vote: {@link FormerListeners} ends the wait that this may need.
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
            if (isFollower(member, term) || isListener(member, term)) {
                return appendOnceDurable(member, receiver, request);
            }
        }
        // Ratis refuses an earlier term. A candidate of just now is to wait without the lock.
        return appendOnceDurable(member, receiver, request);
    }

    private CompletableFuture<AppendEntriesReplyProto> appendOnceDurable(
            RaftServer.Division member, RaftServerAsynchronousProtocol receiver, AppendEntriesRequestProto request)
            throws IOException {
        Set<OpenAppend> appends = open.computeIfAbsent(member, _ -> ConcurrentHashMap.newKeySet());
        long first = request.getEntries(0).getIndex();
        OpenAppend own = new OpenAppend(orders.incrementAndGet(), first, first + request.getEntriesCount() - 1);
        appends.add(own);
        CompletableFuture<AppendEntriesReplyProto> reply;
        try {
            reply = receiver.appendEntriesAsync(request);
        } catch (IOException | RuntimeException | Error e) {
            appends.remove(own);
            throw e;
        }
        return reply.whenComplete((_, _) -> appends.remove(own)).thenApply(answer -> {
            long durable = member.getRaftLog().getFlushIndex();
            if (answer.getResult() == AppendResult.SUCCESS
                    && (answer.getMatchIndex() > durable
                            || appends.stream().anyMatch(other -> other.mayPrecede(own)))) {
                throw new IllegalStateException(member.getMemberId() + " does not acknowledge entry "
                        + answer.getMatchIndex() + " yet: its log is durable up to " + durable
                        + ", or entries sent earlier are not");
            }
            return answer;
        });
    }

    private static boolean isFollower(RaftServer.Division member, long term) {
        DivisionInfo info = member.getInfo();
        return info.isFollower() && info.getCurrentTerm() == term;
    }

    private static boolean isListener(RaftServer.Division member, long term) {
        DivisionInfo info = member.getInfo();
        return info.isListener() && info.getCurrentTerm() == term;
    }
}
