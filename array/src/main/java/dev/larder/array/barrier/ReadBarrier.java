package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The read barrier of a node. Each round belongs to a stripe. One message to another node carries the questions of all stripes
 * whose rounds begin together. Thread-safe.
 *
 * {@snippet :
 * barrier.await(stripe, read);
 * barrier.ask(); // at the end of the loop's turn
 * }
 */
public final class ReadBarrier {

    /** The longest time that a round may take. */
    public static final long ROUND_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Sends messages to other nodes. Never waits; a message that cannot be sent is lost. */
    @FunctionalInterface
    public interface Sender {
        /** Sends a message to a node. */
        void send(int node, Message message);
    }

    private final Map<UUID, TermQuestion> stripes = new ConcurrentHashMap<>();
    private final Sender sender;
    private final LongSupplier nanoTime;

    /** Creates a barrier that knows no stripe yet. */
    public ReadBarrier(Sender sender, LongSupplier nanoTime) {
        this.sender = sender;
        this.nanoTime = nanoTime;
    }

    /** Adds this node's member of a stripe. */
    public void add(UUID stripe, LocalMember member) {
        if (stripes.putIfAbsent(stripe, new TermQuestion(member)) != null) {
            throw new IllegalArgumentException("this node has a member of stripe " + stripe + " already");
        }
    }

    /** Removes this node's member of a stripe; its reads are refused. */
    public void remove(UUID stripe) {
        TermQuestion removed = stripes.remove(stripe);
        if (removed != null) {
            removed.end();
        }
    }

    /** Returns how many rounds this node has begun for a stripe; 0 if it has no member of the stripe. */
    public long rounds(UUID stripe) {
        TermQuestion known = stripes.get(stripe);
        return known == null ? 0 : known.rounds();
    }

    /** Makes a read of a stripe wait; the next {@link #ask} asks for it. */
    public void await(UUID stripe, WaitingRead read) {
        TermQuestion known = stripes.get(stripe);
        if (known == null) {
            read.refused(Refusal.NOT_LEADER);
        } else {
            known.await(read);
        }
    }

    /** Begins a round for each stripe that has waiting reads and no round in progress. */
    public void ask() {
        ask(stripes.keySet());
    }

    private void ask(Collection<UUID> some) {
        Map<Integer, List<Question>> questions = new HashMap<>();
        for (UUID stripe : some) {
            TermQuestion question = stripes.get(stripe);
            Inquiry inquiry = question == null ? null : question.begin(nanoTime.getAsLong());
            if (question != null && inquiry != null) {
                for (int node : others(inquiry.voters(), question.member().name())) {
                    questions
                            .computeIfAbsent(node, key -> new ArrayList<>())
                            .add(new Question(stripe, inquiry.round()));
                }
            }
        }
        questions.forEach((node, asked) -> sender.send(node, Message.asking(asked)));
    }

    private static Set<Integer> others(Voters voters, MemberName self) {
        Set<Integer> nodes = new HashSet<>();
        voters.current().forEach(voter -> nodes.add(voter.node()));
        voters.previous().forEach(voter -> nodes.add(voter.node()));
        nodes.remove(self.node());
        return nodes;
    }

    /** Handles a message of another node; returns the answer, or null if there is none. */
    public @Nullable Message received(int node, Message message) {
        Set<UUID> answered = new HashSet<>();
        for (Answer answer : message.answers()) {
            TermQuestion question = stripes.get(answer.stripe());
            if (question != null && answer.member().node() == node) { // no node answers for another
                question.answered(answer.round(), answer.member(), answer.term());
                answered.add(answer.stripe());
            }
        }
        ask(answered); // for reads that have come meanwhile
        List<Answer> answers = new ArrayList<>();
        for (Question asked : message.questions()) {
            TermQuestion question = stripes.get(asked.stripe());
            OptionalLong term =
                    question == null ? OptionalLong.empty() : question.member().answer();
            if (question != null && term.isPresent()) {
                answers.add(new Answer(
                        asked.stripe(), asked.round(), question.member().name(), term.getAsLong()));
            }
        }
        return answers.isEmpty() ? null : Message.answering(answers);
    }

    /** Refuses the reads of rounds that have taken too long, and begins the next rounds. To be called some ten times a second. */
    public void expire() {
        long now = nanoTime.getAsLong();
        stripes.values().forEach(question -> question.expire(now, ROUND_MOST_NANOS));
        ask();
    }

    /** Refuses the reads of a stripe: this node's member has begun or ceased to lead. */
    public void roleChanged(UUID stripe) {
        TermQuestion question = stripes.get(stripe);
        if (question != null) {
            question.roleChanged();
        }
    }
}
