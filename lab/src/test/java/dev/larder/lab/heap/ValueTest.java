package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ValueTest {

    private final byte[] bytes = new byte[Value.BYTES];

    @Test
    void isWholeAsItWasWritten() {
        for (long key : new long[] {0, 1, 77, Long.MAX_VALUE}) {
            Value.write(bytes, key, 5);
            assertThat(Value.isWhole(bytes, key)).isTrue();
        }
    }

    @Test
    void isNotThatOfAnotherKey() {
        Value.write(bytes, 7, 5);
        assertThat(Value.isWhole(bytes, 8)).isFalse();
    }

    @Test
    void isNotWholeWithAnyByteChanged() {
        Value.write(bytes, 7, 5);
        for (int at = 0; at < Value.BYTES; at++) {
            bytes[at] ^= 0x10;
            assertThat(Value.isWhole(bytes, 7)).as("byte " + at).isFalse();
            bytes[at] ^= 0x10;
        }
        assertThat(Value.isWhole(bytes, 7)).isTrue();
    }

    @Test
    void isNotWholeAsTheBeginningOfOneAndTheEndOfAnother() {
        byte[] other = new byte[Value.BYTES];
        Value.write(bytes, 7, 5);
        Value.write(other, 7, 6);
        for (int at = 16; at < Value.BYTES; at += 4) {
            byte[] torn = bytes.clone();
            System.arraycopy(other, at, torn, at, Value.BYTES - at);
            assertThat(Value.isWhole(torn, 7)).as("torn at " + at).isFalse();
        }
    }
}
