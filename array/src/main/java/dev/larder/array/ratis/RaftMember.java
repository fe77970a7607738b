package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.barrier.Voters;
import java.util.OptionalLong;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;

/** This node's member of a stripe, as the barrier asks it. */
final class RaftMember implements LocalMember {

    private final RaftServer.Division division;
    private final MemberName name;

    RaftMember(RaftServer.Division division) {
        this.division = division;
        this.name = MemberName.parse(division.getId().toString());
    }

    @Override
    public MemberName name() {
        return name;
    }

    @Override
    public long term() {
        return division.getInfo().getCurrentTerm();
    }

    @Override
    public boolean isReady() {
        return division.getInfo().isLeaderReady();
    }

    @Override
    public boolean leadsIn(long term) {
        DivisionInfo info = division.getInfo();
        return info.isLeader() && info.getCurrentTerm() == term;
    }

    @Override
    public Voters voters() {
        RaftConfiguration configuration = division.getRaftConf();
        return new Voters(
                RaftConfigurations.names(configuration.getCurrentPeers()),
                RaftConfigurations.names(configuration.getPreviousPeers()));
    }

    @Override
    public long commitIndex() {
        return division.getRaftLog().getLastCommittedIndex();
    }

    /** Before a member runs it reports term 0, whatever it has promised: so its state is looked at first. */
    @Override
    public OptionalLong answer() {
        DivisionInfo info = division.getInfo();
        boolean answers = info.getLifeCycleState() == LifeCycle.State.RUNNING && !info.isListener();
        return answers ? OptionalLong.of(info.getCurrentTerm()) : OptionalLong.empty();
    }
}
