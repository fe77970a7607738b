package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A message of the barrier: the questions or answers of all stripes that have waiting reads. Big-endian.
 *
 * <pre>
 * 0      1       5
 * | kind | count | questions, or answers ...          kind: 1 questions, 2 answers
 *
 * question | stripe 16 | round 8 |
 * answer   | stripe 16 | round 8 | node 4 | incarnation 4 | term 8 |
 * </pre>
 *
 * @param questions the questions; empty in an answer
 * @param answers the answers; empty in a question
 */
public record Message(List<Question> questions, List<Answer> answers) {

    private static final byte QUESTIONS = 1;
    private static final byte ANSWERS = 2;
    private static final int HEAD_BYTES = 5;
    private static final int QUESTION_BYTES = 24;
    private static final int ANSWER_BYTES = 40;

    /** Creates a message; the lists are copied. */
    public Message {
        questions = List.copyOf(questions);
        answers = List.copyOf(answers);
        if (!questions.isEmpty() && !answers.isEmpty()) {
            throw new IllegalArgumentException("a message is either a question or an answer");
        }
    }

    static Message asking(List<Question> questions) {
        return new Message(questions, List.of());
    }

    static Message answering(List<Answer> answers) {
        return new Message(List.of(), answers);
    }

    /** Returns the bytes of the message. */
    public ByteBuffer encode() {
        int bytes = HEAD_BYTES + questions.size() * QUESTION_BYTES + answers.size() * ANSWER_BYTES;
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.put(answers.isEmpty() ? QUESTIONS : ANSWERS).putInt(questions.size() + answers.size());
        for (Question question : questions) {
            putId(out, question.stripe()).putLong(question.round());
        }
        for (Answer answer : answers) {
            putId(out, answer.stripe()).putLong(answer.round());
            out.putInt(answer.member().node()).putInt(answer.member().incarnation());
            out.putLong(answer.term());
        }
        return out.flip();
    }

    private static ByteBuffer putId(ByteBuffer out, UUID id) {
        return out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    /**
     * Returns the message of some bytes.
     *
     * @throws CorruptException if the bytes are not a valid message
     */
    public static Message decode(ByteBuffer in) {
        if (in.remaining() < HEAD_BYTES) {
            throw new CorruptException("a message of the barrier has " + in.remaining() + " bytes");
        }
        byte kind = in.get();
        int count = in.getInt();
        int each = kind == QUESTIONS ? QUESTION_BYTES : ANSWER_BYTES;
        if ((kind != QUESTIONS && kind != ANSWERS) || count < 0 || in.remaining() != (long) count * each) {
            throw new CorruptException("a message of the barrier of kind " + kind + " that counts " + count
                    + " parts has " + in.remaining() + " bytes after its head");
        }
        List<Question> questions = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            UUID stripe = new UUID(in.getLong(), in.getLong());
            long round = in.getLong();
            if (kind == QUESTIONS) {
                questions.add(new Question(stripe, round));
            } else {
                answers.add(new Answer(stripe, round, member(in), in.getLong()));
            }
        }
        return new Message(questions, answers);
    }

    private static MemberName member(ByteBuffer in) {
        try {
            return new MemberName(in.getInt(), in.getInt());
        } catch (IllegalArgumentException e) {
            throw new CorruptException("an answer of the barrier: " + e.getMessage());
        }
    }
}
