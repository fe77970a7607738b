package dev.larder.array.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class MessageTest {

    private static final long SEED = 25;

    private final Random random = new Random(SEED);

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    @Test
    void whatIsEncodedIsDecoded() {
        Message questions = Message.asking(
                List.of(new Question(id(), 1), new Question(id(), Long.MAX_VALUE), new Question(id(), -1)));
        Message answers = Message.answering(List.of(
                new Answer(id(), 7, new MemberName(65_535, Integer.MAX_VALUE), Long.MAX_VALUE),
                new Answer(id(), 8, new MemberName(0, 0), 0)));
        assertThat(Message.decode(questions.encode())).isEqualTo(questions);
        assertThat(Message.decode(answers.encode())).isEqualTo(answers);
        assertThat(Message.decode(Message.asking(List.of()).encode())).isEqualTo(Message.asking(List.of()));
    }

    /** Bytes that are not a message are reported as such, whatever they contain. */
    @Test
    void anyBytesAreAMessageOrAnError() {
        int messages = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            if (bytes.length >= 5 && random.nextBoolean()) {
                ByteBuffer.wrap(bytes).put((byte) (1 + random.nextInt(2))).putInt((bytes.length - 5) / 24);
            }
            try {
                Message.decode(ByteBuffer.wrap(bytes));
                messages++;
            } catch (CorruptException e) {
                assertThat(e.getMessage()).contains("the barrier");
            }
        }
        assertThat(messages).isPositive();
    }

    @Test
    void aCountThatDoesNotFitIsNamed() {
        ByteBuffer bytes = Message.asking(List.of(new Question(id(), 1))).encode();
        bytes.putInt(1, 2);
        assertThatThrownBy(() -> Message.decode(bytes))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("counts 2 parts has 24 bytes");
    }
}
