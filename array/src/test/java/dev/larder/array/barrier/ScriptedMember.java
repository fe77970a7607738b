package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** A member that gives the answers that a test sets, and records the questions. */
final class ScriptedMember implements LocalMember {

    final List<String> asked = new ArrayList<>();
    MemberName name = new MemberName(0, 0);
    long term = 5;
    boolean ready = true;
    boolean leads = true;
    boolean answers = true;
    long commitIndex = 100;
    Voters voters = voters(0, 1, 2);

    static Voters voters(int... nodes) {
        return new Voters(members(nodes), Set.of());
    }

    static Set<MemberName> members(int... nodes) {
        Set<MemberName> names = new HashSet<>();
        for (int node : nodes) {
            names.add(new MemberName(node, 0));
        }
        return names;
    }

    @Override
    public MemberName name() {
        return name;
    }

    @Override
    public long term() {
        asked.add("term");
        return term;
    }

    @Override
    public boolean isReady() {
        asked.add("ready");
        return ready;
    }

    @Override
    public boolean leadsIn(long inTerm) {
        asked.add("leads");
        return leads && term == inTerm;
    }

    @Override
    public Voters voters() {
        asked.add("voters");
        return voters;
    }

    @Override
    public long commitIndex() {
        asked.add("commit index");
        return commitIndex;
    }

    @Override
    public OptionalLong answer() {
        return answers ? OptionalLong.of(term) : OptionalLong.empty();
    }
}
