package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.TransferLeadershipException;
import org.jspecify.annotations.Nullable;

/**
 * Transfers of leaderships. While one is under way, the leader refuses writes.
 *
 * <p>Ratis 3.3.0 does not end a transfer that fails before its time-out, by a reply or by an exception: it had nobody to send
 * to. It would refuse all writes until an election, which nothing begins. So the leader steps down then.
 */
public final class RaftTransfers {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** What Ratis reports of a transfer that has failed at once. */
    private static final Pattern AT_ONCE = Pattern.compile("NULL_FOLLOWER|NULL_LOG_APPENDER|COMPLETED_EXCEPTIONALLY");

    private final RaftNode raft;

    RaftTransfers(RaftNode raft) {
        this.raft = raft;
    }

    /**
     * Makes a member lead, if this node's member does. The future returns whether it leads.
     *
     * @param most how long the leader waits for it
     */
    public CompletableFuture<Boolean> begin(UUID stripe, MemberName to, Duration most) {
        return request(stripe, RaftNode.id(to), most).handle((reply, error) -> {
            boolean leads = error == null && reply.isSuccess();
            if (!leads) {
                Throwable reason = error == null ? reply.getException() : error;
                LOGGER.log(System.Logger.Level.INFO, to + " does not take over the leadership: " + reason);
                if (error != null || isLeftOpen(reason)) {
                    stepDown(stripe, most);
                }
            }
            return leads;
        });
    }

    private static boolean isLeftOpen(@Nullable Throwable reason) {
        return reason instanceof TransferLeadershipException
                && AT_ONCE.matcher(reason.toString()).find();
    }

    private void stepDown(UUID stripe, Duration most) {
        var _ = request(stripe, null, most).whenComplete((reply, error) -> {
            Throwable reason = error == null ? reply.getException() : error;
            if (reason != null) {
                LOGGER.log(System.Logger.Level.WARNING, "a leader that refuses writes does not step down: " + reason);
            }
        });
    }

    private CompletableFuture<RaftClientReply> request(UUID stripe, @Nullable RaftPeerId to, Duration most) {
        try {
            return raft.server()
                    .transferLeadershipAsync(new TransferLeadershipRequest(
                            raft.client(),
                            raft.server().getId(),
                            RaftGroupId.valueOf(stripe),
                            raft.nextCall(),
                            to,
                            most.toMillis()));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
