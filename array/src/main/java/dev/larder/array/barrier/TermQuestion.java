package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a stripe. In each round, its leader asks the voters "in which term is your member?", for all waiting reads.
 *
 * <pre>
 * reads wait -> term T -> ready? -> voters -> commit index c -> ask | T from a majority -> still leads in T? -> reads go at c
 *                        no: refused                                | 0.5 s: refused      no: refused
 * reads that come after the first step wait for the next round
 * </pre>
 *
 * The leader of a later term was elected by a majority, and a voter enters a term before its vote leaves it. So one of the voters
 * that answered T had not voted yet, and nothing of a later term was committed when the reads came. The order of the steps is
 * part of the proof: {@code models/barrier.pml} finds a stale read for thirteen ways to change it.
 *
 * <p>Thread-safe. Reads are called back without a lock.
 */
final class TermQuestion {

    /** A round in progress. */
    private static final class Round {

        private final long number;
        private final long term;
        private final Voters voters;
        private final long commitIndex;
        private final List<WaitingRead> reads;
        private final long begunNanos;
        private final Set<MemberName> agreeing = new HashSet<>();

        Round(long number, LocalMember member, long term, List<WaitingRead> reads, long nowNanos) {
            this.number = number;
            this.term = term;
            this.voters = member.voters();
            this.commitIndex = member.commitIndex();
            this.reads = reads;
            this.begunNanos = nowNanos;
        }
    }

    private final LocalMember member;
    private List<WaitingRead> waiting = new ArrayList<>();
    private @Nullable Round open;
    private long rounds;
    private boolean isEnded;

    TermQuestion(LocalMember member) {
        this.member = member;
    }

    LocalMember member() {
        return member;
    }

    /** Returns how many rounds have begun. */
    synchronized long rounds() {
        return rounds;
    }

    /** Makes a read wait for the next round that begins. Refuses the read if the member is removed: no round begins. */
    void await(WaitingRead read) {
        synchronized (this) {
            if (!isEnded) {
                waiting.add(read);
                return;
            }
        }
        read.refused(Refusal.NOT_LEADER);
    }

    /** Begins a round for the waiting reads, unless one is in progress. Returns the question and its voters, or null. */
    @Nullable
    Inquiry begin(long nowNanos) {
        List<WaitingRead> reads;
        Round begun = null;
        synchronized (this) {
            if (open != null || waiting.isEmpty()) {
                return null;
            }
            reads = waiting;
            waiting = new ArrayList<>();
            long term = member.term();
            if (member
                    .isReady()) { // only now: the member may have lost the leadership, and won it again in another term
                begun = new Round(++rounds, member, term, reads, nowNanos);
                begun.agreeing.add(member.name()); // the leader counts if it votes
                open = begun;
            }
        }
        if (begun == null) {
            refuse(reads, Refusal.NOT_LEADER);
            return null;
        }
        end(take(begun, begun.voters.isMajority(begun.agreeing)));
        return new Inquiry(begun.number, begun.voters);
    }

    /** Takes a voter's answer to a round. Answers to other rounds, or in other terms, are ignored. */
    void answered(long number, MemberName voter, long term) {
        Round ended;
        synchronized (this) {
            Round round = open;
            if (round == null || round.number != number || round.term != term || !round.voters.contains(voter)) {
                return;
            }
            round.agreeing.add(voter);
            ended = take(round, round.voters.isMajority(round.agreeing));
        }
        end(ended);
    }

    private synchronized @Nullable Round take(Round round, boolean isOver) {
        if (!isOver || open != round) {
            return null;
        }
        open = null;
        return round;
    }

    private void end(@Nullable Round round) {
        if (round == null) {
            return;
        }
        if (member.leadsIn(round.term)) {
            round.reads.forEach(read -> read.confirmed(round.commitIndex));
        } else {
            refuse(round.reads, Refusal.NOT_LEADER);
        }
    }

    /** Refuses the reads of a round that has not found a majority in time. */
    void expire(long nowNanos, long mostNanos) {
        Round late;
        synchronized (this) {
            Round round = open;
            late = round == null ? null : take(round, nowNanos - round.begunNanos >= mostNanos);
        }
        if (late != null) {
            refuse(late.reads, Refusal.NO_MAJORITY);
        }
    }

    /** Refuses all reads: the member has begun or ceased to lead. */
    void roleChanged() {
        List<WaitingRead> refused = new ArrayList<>();
        synchronized (this) {
            Round round = open;
            if (round != null) {
                open = null;
                refused.addAll(round.reads);
            }
            refused.addAll(waiting);
            waiting = new ArrayList<>();
        }
        refuse(refused, Refusal.NOT_LEADER);
    }

    /** Refuses all reads, and those that come later: the member is removed. */
    void end() {
        synchronized (this) {
            isEnded = true;
        }
        roleChanged();
    }

    private static void refuse(List<WaitingRead> reads, Refusal why) {
        reads.forEach(read -> read.refused(why));
    }
}
