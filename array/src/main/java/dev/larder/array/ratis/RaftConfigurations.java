package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.slots.Membership;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SetConfigurationRequest.Mode;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** The configurations of a node's stripes: their members, and how the leading member changes them. Thread-safe. */
public final class RaftConfigurations {

    private final RaftNode raft;

    RaftConfigurations(RaftNode raft) {
        this.raft = raft;
    }

    /** Returns the members of a stripe, by the newest entry of this node's log that names them. */
    public Membership members(UUID stripe) {
        RaftConfiguration configuration = raft.division(stripe).getRaftConf();
        int highest = configuration.getCurrentPeers().stream()
                .mapToInt(RaftPeer::getPriority)
                .max()
                .orElse(StripePeer.MIRROR_PRIORITY);
        return new Membership(
                configuration.getLogEntryIndex(),
                names(configuration.getCurrentPeers()),
                names(configuration.getPreviousPeers()),
                names(configuration.getCurrentPeers(RaftPeerRole.LISTENER)),
                names(configuration.getCurrentPeers().stream()
                        .filter(peer -> peer.getPriority() < highest) // never all: some member has a store
                        .toList()));
    }

    static Set<MemberName> names(Collection<RaftPeer> peers) {
        return peers.stream().map(RaftConfigurations::name).collect(Collectors.toUnmodifiableSet());
    }

    private static MemberName name(RaftPeer peer) {
        return MemberName.parse(peer.getId().toString());
    }

    /** Returns whether one set of voters counts and the entry that names it is committed. Members can be changed then. */
    public boolean isSettled(UUID stripe) {
        RaftServer.Division division = raft.division(stripe);
        Membership members = members(stripe);
        return members.isStable() && division.getRaftLog().getLastCommittedIndex() >= members.epoch();
    }

    /** Returns for how long the leader has not heard from a member; empty if this node does not lead, or does not send to it. */
    public OptionalLong silenceMillis(UUID stripe, MemberName member) {
        String id = RaftNode.id(member).toString();
        for (ServerRpcProto follower : raft.division(stripe)
                .getInfo()
                .getRoleInfoProto()
                .getLeaderInfo()
                .getFollowerInfoList()) {
            if (follower.getId().getId().toStringUtf8().equals(id)) {
                return OptionalLong.of(follower.getLastRpcElapsedTimeMs());
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Returns for how long no leader has sent this node's member of a stripe anything. Empty if it leads, has no leader, or has
     * no entry.
     */
    public OptionalLong leaderSilenceMillis(UUID stripe) {
        DivisionInfo info = raft.division(stripe).getInfo();
        ServerRpcProto leader = info.getRoleInfoProto().getFollowerInfo().getLeaderInfo();
        return info.getLeaderId() != null && leader.hasId()
                ? OptionalLong.of(leader.getLastRpcElapsedTimeMs())
                : OptionalLong.empty();
    }

    /**
     * Changes the members of a stripe that this node leads. A new member receives entries first, and the change is made once it
     * has caught up. So this may take long. If this node stops or ceases to lead, the change may be made or not.
     *
     * @param before the present members: if others are there, nothing is changed
     * @param voters the members that are to vote
     * @param listeners the members that are to receive entries and not to vote
     * @param witnesses the members that keep the log, and no store
     * @param added the address of the new member; empty if there is none
     * @return ends once a majority has the change, or fails with the reason why the change is not known to be made
     */
    public CompletableFuture<Void> change(
            UUID stripe,
            Membership before,
            Set<MemberName> voters,
            Set<MemberName> listeners,
            Set<MemberName> witnesses,
            List<StripePeer> added) {
        RaftConfiguration now = raft.division(stripe).getRaftConf();
        if (now.getLogEntryIndex() != before.epoch()) {
            return CompletableFuture.failedFuture(
                    new IOException("the members of stripe " + stripe + " changed at the same time"));
        }
        List<RaftPeer> current = List.copyOf(now.getCurrentPeers());
        List<RaftPeer> receiving = List.copyOf(now.getCurrentPeers(RaftPeerRole.LISTENER));
        List<RaftPeer> known = Stream.of(
                        current.stream(), receiving.stream(), added.stream().map(StripePeer::toPeer))
                .flatMap(peers -> peers)
                .map(peer -> RaftPeer.newBuilder(peer)
                        .setPriority(StripePeer.priority(witnesses.contains(name(peer))))
                        .build())
                .toList();
        SetConfigurationRequest.Arguments arguments = new SetConfigurationRequest.Arguments.Builder()
                .setMode(Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(current)
                .setListenersInCurrentConf(receiving)
                .setServersInNewConf(chosen(known, voters, RaftPeerRole.FOLLOWER))
                .setListenersInNewConf(chosen(known, listeners, RaftPeerRole.LISTENER))
                .build();
        try {
            return raft.server()
                    .setConfigurationAsync(new SetConfigurationRequest(
                            raft.client(),
                            raft.server().getId(),
                            RaftGroupId.valueOf(stripe),
                            raft.nextCall(),
                            arguments))
                    .thenCompose(RaftConfigurations::result);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<Void> result(RaftClientReply reply) {
        return reply.isSuccess()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(Objects.requireNonNull(reply.getException()));
    }

    private static List<RaftPeer> chosen(List<RaftPeer> known, Set<MemberName> names, RaftPeerRole role) {
        return known.stream()
                .filter(peer -> names.contains(name(peer)))
                .map(peer -> RaftPeer.newBuilder(peer).setStartupRole(role).build())
                .toList();
    }
}
