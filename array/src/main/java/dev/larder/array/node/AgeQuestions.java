package dev.larder.array.node;

import dev.larder.array.barrier.Refusal;
import dev.larder.array.barrier.WaitingRead;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.ObjIntConsumer;

/**
 * The questions of mirrors to their leaders about how much is committed. A leader answers behind its barrier; a node that no
 * longer leads does not answer. Frames of the links, big-endian:
 *
 * <pre>
 * 0      1
 * | kind | questions ...    kind: 8
 * | kind | answer |         kind: 9
 *
 * question | stripe 16 | number 8 |
 * answer   | stripe 16 | number 8 | index 8 |
 * </pre>
 *
 * Thread-safe.
 */
public final class AgeQuestions {

    static final byte ASK_KIND = 8;
    static final byte TOLD_KIND = 9;

    private static final int QUESTION_BYTES = 24;
    private static final int ANSWER_BYTES = 32;

    private record Question(UUID stripe, long number) {}

    private final Stripes stripes;
    private final ObjIntConsumer<ByteBuffer> sender;

    /**
     * Creates the questions of a node's mirrors.
     *
     * @param sender sends a frame to a node, and does not wait
     */
    public AgeQuestions(Stripes stripes, ObjIntConsumer<ByteBuffer> sender) {
        this.stripes = stripes;
        this.sender = sender;
    }

    /** Sends the questions that are due. To be called several times a second. */
    public void ask() {
        Map<Integer, List<Question>> due = new HashMap<>();
        for (Stripe stripe : stripes.here()) {
            MirrorAge age = stripe.age();
            age.applied(stripe.state().appliedIndex().get());
            OptionalInt leader = stripes.leader(stripe.number());
            if (leader.isPresent() && leader.getAsInt() != stripes.self()) {
                age.ask()
                        .ifPresent(number -> due.computeIfAbsent(leader.getAsInt(), node -> new ArrayList<>())
                                .add(new Question(stripe.id(), number)));
            }
        }
        due.forEach((node, questions) -> sender.accept(encode(questions), node));
    }

    private static ByteBuffer encode(List<Question> questions) {
        ByteBuffer out = ByteBuffer.allocate(1 + questions.size() * QUESTION_BYTES);
        out.put(ASK_KIND);
        questions.forEach(question -> put(out, question.stripe).putLong(question.number));
        return out.flip();
    }

    private static ByteBuffer put(ByteBuffer out, UUID stripe) {
        return out.putLong(stripe.getMostSignificantBits()).putLong(stripe.getLeastSignificantBits());
    }

    /** Returns whether a frame is such a question or an answer. */
    public static boolean isAge(ByteBuffer frame) {
        byte kind = frame.hasRemaining() ? frame.get(frame.position()) : 0;
        return kind == ASK_KIND || kind == TOLD_KIND;
    }

    /**
     * Handles a frame of another node; does not wait.
     *
     * @throws CorruptException if it is not valid
     */
    public void received(int node, ByteBuffer frame) {
        ByteBuffer in = frame.slice();
        boolean asks = in.get() == ASK_KIND;
        boolean isWhole = asks ? in.remaining() % QUESTION_BYTES == 0 : in.remaining() == ANSWER_BYTES;
        if (!isWhole) {
            throw new CorruptException("a frame with the ages of mirrors has " + frame.remaining() + " bytes");
        }
        if (!asks) {
            UUID id = new UUID(in.getLong(), in.getLong());
            long number = in.getLong();
            long index = in.getLong();
            stripes.here(id).ifPresent(stripe -> stripe.age().told(number, index));
            return;
        }
        List<Stripe> asked = new ArrayList<>();
        while (in.hasRemaining()) {
            UUID id = new UUID(in.getLong(), in.getLong());
            long number = in.getLong();
            stripes.here(id).filter(Stripe::isReady).ifPresent(stripe -> {
                stripe.await(new Answer(node, stripe.id(), number));
                asked.add(stripe);
            });
        }
        if (!asked.isEmpty()) {
            asked.getFirst().ask();
        }
    }

    /** The leader's answer, sent once its barrier confirms it. */
    private final class Answer implements WaitingRead {

        private final int node;
        private final UUID stripe;
        private final long number;

        Answer(int node, UUID stripe, long number) {
            this.node = node;
            this.stripe = stripe;
            this.number = number;
        }

        @Override
        public void confirmed(long index) {
            ByteBuffer out = ByteBuffer.allocate(1 + ANSWER_BYTES).put(TOLD_KIND);
            sender.accept(put(out, stripe).putLong(number).putLong(index).flip(), node);
        }

        /** Does not answer: the mirror gets older, and asks again. */
        @Override
        public void refused(Refusal why) {}
    }
}
