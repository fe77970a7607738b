package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.server.protocol.RaftServerProtocol;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;

/** Messages of Raft to a node's member, in the name of other members. */
final class RaftMessages {

    /** The term of all entries. */
    static final long TERM = 1;

    private final UUID stripe;

    RaftMessages(UUID stripe) {
        this.stripe = stripe;
    }

    /**
     * Returns an entry that names the voters.
     *
     * @param previous the former voters, while both sets count; else empty
     */
    static LogEntryProto voters(long index, List<StripePeer> voters, List<StripePeer> previous) {
        return LogEntryProto.newBuilder()
                .setTerm(TERM)
                .setIndex(index)
                .setConfigurationEntry(RaftConfigurationProto.newBuilder()
                        .addAllPeers(peers(voters))
                        .addAllOldPeers(peers(previous)))
                .build();
    }

    private static List<RaftPeerProto> peers(List<StripePeer> members) {
        return members.stream()
                .map(member -> member.toPeer().getRaftPeerProto())
                .toList();
    }

    /** Sends entries to a member, of which none is committed yet. */
    CompletableFuture<AppendEntriesReplyProto> append(
            MemberName leader, RaftServer.Division member, List<LogEntryProto> entries) {
        return append((RaftServerAsynchronousProtocol) member, leader, member, entries);
    }

    /** Sends entries to a member through a server that has it. */
    CompletableFuture<AppendEntriesReplyProto> append(
            RaftServerAsynchronousProtocol receiver,
            MemberName leader,
            RaftServer.Division member,
            List<LogEntryProto> entries) {
        AppendEntriesRequestProto.Builder request = AppendEntriesRequestProto.newBuilder()
                .setServerRequest(between(leader, member))
                .setLeaderTerm(TERM)
                .addAllEntries(entries)
                .setLeaderCommit(RaftLog.INVALID_LOG_INDEX);
        long first = entries.getFirst().getIndex();
        if (first > 0) {
            request.setPreviousLog(TermIndex.valueOf(TERM, first - 1).toProto());
        }
        try {
            return receiver.appendEntriesAsync(request.build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns whether a member votes for a candidate.
     *
     * @param last the candidate's last entry
     * @throws IOException if the member does not run
     */
    boolean votes(RaftServer.Division member, MemberName candidate, long term, long last) throws IOException {
        return ((RaftServerProtocol) member)
                .requestVote(candidacy(member, candidate, term, last))
                .getServerReply()
                .getSuccess();
    }

    /** Returns the message by which a candidate asks a member for its vote. */
    RequestVoteRequestProto candidacy(RaftServer.Division member, MemberName candidate, long term, long last) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(between(candidate, member))
                .setCandidateTerm(term)
                .setCandidateLastEntry(TermIndex.valueOf(TERM, last).toProto())
                .build();
    }

    private RaftRpcRequestProto between(MemberName from, RaftServer.Division to) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftNode.id(from).toByteString())
                .setReplyId(to.getId().toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder()
                        .setId(RaftGroupId.valueOf(stripe).toByteString()))
                .build();
    }
}
