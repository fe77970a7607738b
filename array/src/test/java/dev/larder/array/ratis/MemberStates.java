package dev.larder.array.ratis;

import java.util.Arrays;
import java.util.UUID;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer.Division;

/** The state of a node's members in Ratis, for the message of a test that has waited in vain. */
public final class MemberStates {

    private MemberStates() {}

    /** Returns the lock under which Ratis changes the role of a member, and appends entries. */
    public static Object lock(RaftNode node, UUID stripe) {
        return node.division(stripe);
    }

    /** Returns a line about the member of a stripe. */
    public static String of(RaftNode node, UUID stripe) {
        Division member = node.division(stripe);
        DivisionInfo info = member.getInfo();
        String followers = info.isLeader()
                ? ", next of its followers " + Arrays.toString(info.getFollowerNextIndices()) + ", there "
                        + Arrays.toString(info.getFollowerMatchIndices())
                : "";
        return member.getMemberId() + ": " + info.getCurrentRole() + ", " + info.getLifeCycleState() + ", term "
                + info.getCurrentTerm() + ", leader " + info.getLeaderId() + ", ready " + info.isLeaderReady()
                + ", applied " + info.getLastAppliedIndex() + ", committed "
                + member.getRaftLog().getLastCommittedIndex() + ", next "
                + member.getRaftLog().getNextIndex()
                + followers + ", " + member.getRaftConf() + ", "
                + info.getRoleInfoProto().toString().replaceAll("\\s+", " ");
    }
}
