package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.io.IOException;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/**
 * Elections before their time. Ratis makes a member stand for election at once if its leader asks it to, as in a handover. A
 * leader whose process has ended asks no member. So this node asks its own member, in the leader's name. The ends of the logs
 * decide which member is asked first.
 */
public final class RaftElections {

    private final RaftNode raft;

    RaftElections(RaftNode raft) {
        this.raft = raft;
    }

    /** Returns where the log of this node's member of a stripe ends; {@link LogEnd#NONE} if the member has stopped. */
    public LogEnd end(UUID stripe) {
        TermIndex last = last(raft.division(stripe));
        return last == null ? LogEnd.NONE : new LogEnd(last.getTerm(), last.getIndex());
    }

    private static @Nullable TermIndex last(RaftServer.Division division) {
        try {
            return division.getRaftLog().getLastEntryTermIndex();
        } catch (IllegalStateException e) { // its log is closed: the member has stopped, or could not write
            return null;
        }
    }

    /**
     * Makes this node's member of a stripe stand for election, unless it knows of another leader, or of a later term than its
     * last entry's. Waits until the member has recorded its new term.
     *
     * @param gone the leader that has ended
     * @return whether the member stands
     */
    public boolean stand(UUID stripe, MemberName gone) {
        RaftGroupId group = RaftGroupId.valueOf(stripe);
        RaftServer.Division division = raft.division(stripe);
        TermIndex last = last(division);
        if (last == null) {
            return false;
        }
        RaftRpcRequestProto request = RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftNode.id(gone).toByteString())
                .setReplyId(raft.server().getId().toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString()))
                .build();
        try {
            return raft.server()
                    .startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                            .setServerRequest(request)
                            .setLeaderLastEntry(last.toProto())
                            .build())
                    .getServerReply()
                    .getSuccess();
        } catch (IOException e) { // the member is stopping
            return false;
        }
    }
}
