package dev.larder.array.ratis;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Sends the log of a stripe to a member, as Ratis does. Ratis 3.3.0 does not go on in four cases:
 *
 * <ul>
 *   <li>An appender fails, and Ratis makes another one. It then takes the member for one that is being added, as long as it leads. So
 *       this class says that the member has caught up.
 *   <li>An appender fails that sends to a peer which is about to be added. Ratis makes no other one, and takes the peer for one that has
 *       caught up: it would vote, and get nothing. So such an appender is silent until Ratis gives up the peer, or has added it
 *       after all. Only then does it fail, and Ratis makes another one.
 *   <li>A leader tells a member where its log begins, and the member answers that it has no snapshot. Ratis then tells it the same for
 *       ever, though the member may have that entry. So each second time the entries behind it are sent. A member that lacks it
 *       refuses them, and is told again.
 *   <li>A member gets the last entries, and its answer is lost with the connection. Ratis then waits for more entries, which may come
 *       late or never. So long the leader could not commit them, nor let the member lead. So the last entry is sent again. A
 *       member refuses an entry that it has committed, but says so in its answers to heartbeats.
 * </ul>
 *
 * <p>Where there is nothing to send and no connection, Ratis looks for entries without a pause. This class waits until there are some.
 */
final class MemberAppender extends GrpcLogAppender {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String CATCH_UP = "catchUp";
    private static final Duration SILENCE = Duration.ofMillis(100);

    /** After a failure it rests so many times: Ratis itself makes another appender at once, for an entry that stays unreadable, too. */
    private static final int RESTS = 10;

    /** In place of an entry's index. */
    private static final long NONE = -1;

    /** When the member had answered last, as it was told where the log begins; null: entries were sent since. */
    private @Nullable Timestamp told;

    /** The last entry, if at the last look the member had been sent it and had not said that it has it. */
    private long unanswered = NONE;

    MemberAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        super(server, state, follower);
        if (state.isFollowerBootstrapping(follower) && !isJoining(this)) {
            catchUp(follower);
        }
    }

    /** Returns whether a peer is no member yet, but is about to be added. */
    static boolean isJoining(LogAppender appender) {
        return appender.getLeaderState().isFollowerBootstrapping(appender.getFollower())
                && appender.getServer()
                                .getRaftConf()
                                .getPeer(appender.getFollowerId(), RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)
                        == null;
    }

    private static void catchUp(FollowerInfo follower) {
        try {
            Method method = follower.getClass().getDeclaredMethod(CATCH_UP);
            method.setAccessible(true);
            method.invoke(follower);
        } catch (ReflectiveOperationException | RuntimeException e) { // it goes on as by Ratis alone
            LOGGER.log(System.Logger.Level.WARNING, follower.getName() + " is not noted as caught up: " + e, e);
        }
    }

    @Override
    public void run() throws IOException {
        try {
            super.run();
        } catch (IOException | RuntimeException | Error e) {
            if (isRunning() && isJoining(this)) {
                LOGGER.log(System.Logger.Level.WARNING, this + " has failed, and is silent: " + e, e);
            }
            if (isRunning() && isAwaited()) {
                throw e;
            }
        }
    }

    /** Waits for a while, and until the peer is added; returns false if the appender is stopped meanwhile. */
    private boolean isAwaited() {
        try {
            for (int rests = 0; isRunning() && (rests < RESTS || isJoining(this)); rests++) {
                Thread.sleep(SILENCE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return isRunning();
    }

    /** Ratis asks this after each look; 0: it looks again at once. */
    @Override
    public long getWaitTimeMs() {
        long heartbeatMillis = getHeartbeatWaitTimeMs();
        return hasAppendEntries() || heartbeatMillis <= 0 ? super.getWaitTimeMs() : heartbeatMillis;
    }

    /** Ratis asks this each time before it sends something, a heartbeat or entries. */
    @Override
    public @Nullable TermIndex shouldNotifyToInstallSnapshot() {
        learnCommitted();
        sendUnansweredAgain();
        TermIndex first = super.shouldNotifyToInstallSnapshot();
        Timestamp answered = getFollower().getLastRpcResponseTime();
        if (first != null && hasAnswered(answered) && first.equals(getRaftLog().getTermIndex(first.getIndex()))) {
            getFollower().setNextIndex(first.getIndex() + 1);
            told = null;
            return null;
        }
        told = first == null ? null : answered;
        return first;
    }

    /** A member commits only what is durable in its log, so it has that; else Ratis learns it from answers to entries alone. */
    private void learnCommitted() {
        FollowerInfo member = getFollower();
        if (member.updateMatchIndex(member.getCommitIndex())) {
            getLeaderState().onFollowerSuccessAppendEntries(member);
        }
    }

    /** At the second look, since an answer may just be coming in. The first entry of the log stays: nobody knows which one was before it. */
    private void sendUnansweredAgain() {
        long last = getFollower().getNextIndex() - 1;
        boolean isUnanswered = last > getFollower().getMatchIndex()
                && last == getRaftLog().getNextIndex() - 1
                && last > getRaftLog().getStartIndex()
                && !hasPendingDataRequests();
        if (isUnanswered && last == unanswered) {
            getFollower().setNextIndex(last);
        }
        unanswered = isUnanswered && last != unanswered ? last : NONE;
    }

    private boolean hasAnswered(Timestamp last) {
        Timestamp before = told;
        return before != null && last.compareTo(before) > 0;
    }
}
