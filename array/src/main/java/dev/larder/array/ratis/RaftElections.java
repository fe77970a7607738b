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
 * Elections before their time. Ratis has a member stand for election at once where its leader asks it to, as it hands over. A leader
 * whose process has ended asks nobody; so this node asks its own member, in the leader's name. Who is asked first depends on where the
 * logs end.
 */
public final class RaftElections {

    private final RaftNode raft;

    RaftElections(RaftNode raft) {
        this.raft = raft;
    }

    /** Returns where the log of this node's member of a stripe ends; none where the member has stopped. */
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
     * Has this node's member of a stripe stand for election, unless it knows of another leader, or of a later term than that of its
     * last entry. It waits until the member has noted its new term.
     *
     * @param gone the leader that is no more
     * @return whether it stands
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
        } catch (IOException e) { // it is stopping
            return false;
        }
    }
}
