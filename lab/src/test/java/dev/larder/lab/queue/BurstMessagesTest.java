package dev.larder.lab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BurstMessagesTest {

    private static MemorySegment copy(BurstMessages messages, int burst, long sequence) {
        long offset = messages.make(burst, sequence);
        return Arena.ofAuto()
                .allocate(messages.messageBytes(), 8)
                .copyFrom(messages.segment().asSlice(offset, messages.messageBytes()));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 512, 1024})
    void sumIsThatOfEveryWordOfEveryMessage(int bytes) {
        BurstMessages messages = new BurstMessages(bytes, 7);
        long sum = 0;
        for (long sequence = 0; sequence < 1000; sequence++) {
            sum += BurstMessages.sumWords(copy(messages, 5, sequence), 0, bytes);
        }
        assertThat(messages.sum(5, 1000)).isEqualTo(sum);
    }

    /** What compresses is checked all the same: each message has a pattern of its own, repeated. */
    @Test
    void aPatternIsRepeatedAndSummed() {
        BurstMessages messages = new BurstMessages(1024, 64, 7);
        MemorySegment message = copy(messages, 5, 3);
        long sum = 0;
        for (long sequence = 0; sequence < 100; sequence++) {
            sum += BurstMessages.sumWords(copy(messages, 5, sequence), 0, 1024);
        }
        assertThat(messages.sum(5, 100)).isEqualTo(sum);
        assertThat(message.asSlice(8, 64).mismatch(message.asSlice(8 + 64, 64))).isEqualTo(-1);
        assertThat(message.asSlice(8, 64).mismatch(copy(messages, 5, 4).asSlice(8, 64)))
                .isNotEqualTo(-1);
        assertThatCode(() -> messages.verify(5, 3, message, 0, 1024)).doesNotThrowAnyException();
        message.set(ValueLayout.JAVA_BYTE, 1000, (byte) ~message.get(ValueLayout.JAVA_BYTE, 1000));
        assertThatThrownBy(() -> messages.verify(5, 3, message, 0, 1024)).isInstanceOf(LabException.class);
    }

    @Test
    void everyChangedByteIsFound() {
        BurstMessages messages = new BurstMessages(64, 7);
        for (int at = 0; at < 64; at++) {
            MemorySegment message = copy(messages, 2, 65);
            assertThatCode(() -> messages.verify(2, 65, message, 0, 64)).doesNotThrowAnyException();
            message.set(ValueLayout.JAVA_BYTE, at, (byte) (message.get(ValueLayout.JAVA_BYTE, at) ^ 1));
            assertThatThrownBy(() -> messages.verify(2, 65, message, 0, 64)).isInstanceOf(LabException.class);
        }
    }

    @Test
    void oneMessageCannotStandForAnother() {
        BurstMessages messages = new BurstMessages(64, 7);
        MemorySegment message = copy(messages, 2, 65);
        assertThatThrownBy(() -> messages.verify(3, 65, message, 0, 64))
                .hasMessageContaining("found burst 2, message 65");
        assertThatThrownBy(() -> messages.verify(2, 1, message, 0, 64))
                .hasMessageContaining("found burst 2, message 65");
        assertThatThrownBy(() -> messages.verify(2, 65, message, 0, 56))
                .hasMessageContaining("56 bytes read, 64 written");
    }
}
