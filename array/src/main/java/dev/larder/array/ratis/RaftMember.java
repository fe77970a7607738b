package dev.larder.array.ratis;

import dev.larder.array.MemberName;
import dev.larder.array.barrier.LocalMember;
import dev.larder.array.barrier.Voters;
import java.util.OptionalLong;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/** This node's member of a stripe, as the barrier sees it. */
final class RaftMember implements LocalMember {

    private final RaftServer.Division division;
    private final MemberName name;

    /** The voters of a configuration. */
    private record Configured(RaftConfiguration configuration, Voters voters) {}

    private volatile @Nullable Configured configured;

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

    /** Ratis makes a new configuration when it changes, and each round of the barrier needs the voters. */
    @Override
    @SuppressWarnings("ReferenceEquality") // the very instance that was converted last
    public Voters voters() {
        RaftConfiguration now = division.getRaftConf();
        Configured last = configured;
        if (last == null || last.configuration != now) {
            last = new Configured(
                    now,
                    new Voters(
                            RaftConfigurations.names(now.getCurrentPeers()),
                            RaftConfigurations.names(now.getPreviousPeers())));
            configured = last;
        }
        return last.voters;
    }

    @Override
    public long commitIndex() {
        return division.getRaftLog().getLastCommittedIndex();
    }

    /** Checks the member's state first: before it runs, it reports term 0, whatever it has promised. */
    @Override
    public OptionalLong answer() {
        DivisionInfo info = division.getInfo();
        boolean answers = info.getLifeCycleState() == LifeCycle.State.RUNNING && !info.isListener();
        return answers ? OptionalLong.of(info.getCurrentTerm()) : OptionalLong.empty();
    }
}
