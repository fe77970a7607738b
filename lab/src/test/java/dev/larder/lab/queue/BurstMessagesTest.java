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
