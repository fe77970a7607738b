package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.TransferLeadershipRequest;

/** A stripe has no leader until a test says so: no member stands for election by itself. */
public final class HeldElections {

    private static final long PATIENCE_MILLIS = 60_000;

    private HeldElections() {}

    /** Keeps a node's member of a stripe from standing for election. The member still votes. */
    public static void hold(RaftNode node, UUID stripe) {
        try {
            node.server()
                    .leaderElectionManagement(LeaderElectionManagementRequest.newPause(
                            node.client(), node.server().getId(), RaftGroupId.valueOf(stripe), node.nextCall()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the leadership of a node's member, which hands over to no other. */
    public static void stepDown(RaftNode node, UUID stripe) {
        try {
            boolean done = node.server()
                    .transferLeadership(new TransferLeadershipRequest(
                            node.client(),
                            node.server().getId(),
                            RaftGroupId.valueOf(stripe),
                            node.nextCall(),
                            /* newLeader */ null,
                            PATIENCE_MILLIS))
                    .isSuccess();
            if (!done) {
                throw new AssertionError("leads on");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a node's member stand for election at once. */
    public static void stand(RaftNode node, UUID stripe) {
        node.elections().stand(stripe, MemberName.parse(node.server().getId().toString()));
    }
}
