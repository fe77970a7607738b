package dev.larder.array.barrier;

import static dev.larder.array.barrier.ScriptedMember.members;
import static dev.larder.array.barrier.ScriptedMember.voters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rounds of the barrier, step by step. The model {@code models/barrier.pml} checks whether the steps suffice. */
final class ReadBarrierTest {

    private static final UUID STRIPE = new UUID(1, 1);
    private static final UUID OTHER = new UUID(1, 2);

    private record Sent(int node, Message message) {}

    private final List<Sent> sent = new ArrayList<>();
    private final ScriptedMember member = new ScriptedMember();
    private final RecordedRead read = new RecordedRead();
    private long now;
    private ReadBarrier barrier;

    @BeforeEach
    void addStripe() {
        barrier = new ReadBarrier((node, message) -> sent.add(new Sent(node, message)), () -> now);
        barrier.add(STRIPE, member);
    }

    private RecordedRead await(UUID stripe) {
        RecordedRead other = new RecordedRead();
        barrier.await(stripe, other);
        return other;
    }

    private void ask() {
        barrier.await(STRIPE, read);
        barrier.ask();
    }

    private void answer(int node, long round, long term) {
        answer(new MemberName(node, 0), round, term);
    }

    private void answer(MemberName voter, long round, long term) {
        assertThat(barrier.received(voter.node(), Message.answering(List.of(new Answer(STRIPE, round, voter, term)))))
                .isNull();
    }

    @Test
    void aMajorityInTheTermLetsAReadGo() {
        ask();
        assertThat(sent)
                .containsExactlyInAnyOrder(
                        new Sent(1, Message.asking(List.of(new Question(STRIPE, 1)))),
                        new Sent(2, Message.asking(List.of(new Question(STRIPE, 1)))));
        assertThat(read.ends).isEmpty();
        answer(2, 1, 5);
        assertThat(read.ends).containsExactly("at 100");
        answer(1, 1, 5); // too late to change anything
        assertThat(read.ends).hasSize(1);
    }

    /** The order is part of the proof. */
    @Test
    void theMemberIsAskedInTheOrderOfTheModel() {
        ask();
        answer(1, 1, 5);
        assertThat(member.asked).containsExactly("term", "ready", "voters", "commit index", "leads");
    }

    @Test
    void anotherTermIsNoAnswer() {
        ask();
        answer(1, 1, 4);
        answer(2, 1, 6);
        assertThat(read.ends).isEmpty();
    }

    @Test
    void aVoterCountsOnce() {
        member.voters = voters(0, 1, 2, 3, 4);
        ask();
        answer(1, 1, 5);
        answer(1, 1, 5);
        assertThat(read.ends).isEmpty();
        answer(3, 1, 5);
        assertThat(read.ends).containsExactly("at 100");
    }

    @Test
    void anAnswerToAnEarlierRoundDoesNotCount() {
        ask();
        answer(1, 1, 5);
        RecordedRead next = await(STRIPE);
        barrier.ask();
        answer(2, 1, 5);
        assertThat(next.ends).isEmpty();
        answer(2, 2, 5);
        assertThat(next.ends).containsExactly("at 100");
    }

    @Test
    void whoDoesNotVoteDoesNotCount() {
        ask();
        answer(3, 1, 5);
        answer(new MemberName(1, 7), 1, 5);
        assertThat(read.ends).isEmpty();
    }

    @Test
    void nobodyAnswersForAnother() {
        ask();
        assertThat(barrier.received(2, Message.answering(List.of(new Answer(STRIPE, 1, new MemberName(1, 0), 5)))))
                .isNull();
        assertThat(read.ends).isEmpty();
    }

    @Test
    void whileVotersChangeBothSetsNeedAMajority() {
        member.voters = new Voters(members(0, 3, 4), members(0, 1, 2));
        ask();
        answer(1, 1, 5);
        answer(2, 1, 5);
        assertThat(read.ends).isEmpty();
        answer(4, 1, 5);
        assertThat(read.ends).containsExactly("at 100");
    }

    @Test
    void aLeaderThatVotesNoMoreDoesNotCountItself() {
        member.voters = voters(1, 2, 3);
        ask();
        answer(1, 1, 5);
        assertThat(read.ends).isEmpty();
        answer(3, 1, 5);
        assertThat(read.ends).containsExactly("at 100");
    }

    @Test
    void aReadThatComesMeanwhileWaitsForTheNextRound() {
        ask();
        RecordedRead next = await(STRIPE);
        barrier.ask();
        assertThat(sent).hasSize(2);
        member.commitIndex = 101;
        answer(1, 1, 5);
        assertThat(read.ends).containsExactly("at 100");
        assertThat(next.ends).isEmpty();
        assertThat(sent).hasSize(4); // the next round begins by itself
        answer(2, 2, 5);
        assertThat(next.ends).containsExactly("at 101");
    }

    @Test
    void whoIsNotReadyAsksNobody() {
        member.ready = false;
        ask();
        assertThat(read.ends).containsExactly("NOT_LEADER");
        assertThat(sent).isEmpty();
    }

    @Test
    void whoLeadsNoMoreAtTheEndRefuses() {
        ask();
        member.leads = false;
        answer(1, 1, 5);
        assertThat(read.ends).containsExactly("NOT_LEADER");
    }

    @Test
    void aChangeOfRoleRefusesAllThatWait() {
        ask();
        RecordedRead next = await(STRIPE);
        barrier.roleChanged(STRIPE);
        assertThat(read.ends).containsExactly("NOT_LEADER");
        assertThat(next.ends).containsExactly("NOT_LEADER");
        answer(1, 1, 5);
        assertThat(read.ends).hasSize(1);
    }

    @Test
    void aRoundWithoutAMajorityEndsAfterHalfASecond() {
        ask();
        now += ReadBarrier.ROUND_MOST_NANOS - 1;
        barrier.expire();
        assertThat(read.ends).isEmpty();
        now += 1;
        barrier.expire();
        assertThat(read.ends).containsExactly("NO_MAJORITY");
    }

    @Test
    void aStripeWithoutAMajorityDelaysNoOther() {
        ScriptedMember second = new ScriptedMember();
        barrier.add(OTHER, second);
        RecordedRead stuck = await(STRIPE);
        RecordedRead quick = await(OTHER);
        barrier.ask();
        assertThat(sent)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.message().questions()).hasSize(2));
        for (long round = 1; round <= 3; round++) {
            assertThat(barrier.received(
                            1, Message.answering(List.of(new Answer(OTHER, round, new MemberName(1, 0), 5)))))
                    .isNull();
            assertThat(quick.ends).containsExactly("at 100");
            quick = await(OTHER);
            barrier.ask();
        }
        assertThat(stuck.ends).isEmpty();
    }

    @Test
    void aSingleVoterNeedsNobody() {
        member.voters = voters(0);
        ask();
        assertThat(read.ends).containsExactly("at 100");
        assertThat(sent).isEmpty();
    }

    @Test
    void aMemberAnswersWithItsTermWhileItRuns() {
        Message question = Message.asking(List.of(new Question(STRIPE, 9), new Question(OTHER, 9)));
        assertThat(Objects.requireNonNull(barrier.received(1, question)).answers())
                .containsExactly(new Answer(STRIPE, 9, member.name, 5));
        member.answers = false;
        assertThat(barrier.received(1, question)).isNull();
    }

    @Test
    void aStripeThatIsNotHereRefuses() {
        assertThat(await(OTHER).ends).containsExactly("NOT_LEADER");
        ask();
        barrier.remove(STRIPE);
        assertThat(read.ends).containsExactly("NOT_LEADER");
        assertThat(await(STRIPE).ends).containsExactly("NOT_LEADER");
    }

    @Test
    void aStripeIsAddedOnce() {
        assertThatThrownBy(() -> barrier.add(STRIPE, member))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(STRIPE.toString());
    }

    /** Regression: a read that came as its member was removed waited for ever. */
    @Test
    void aReadThatComesBehindTheEndOfItsMemberIsRefused() {
        TermQuestion question = new TermQuestion(member);
        question.end();
        question.await(read);
        assertThat(read.ends).containsExactly("NOT_LEADER");
    }
}
