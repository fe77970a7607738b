package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyedValueTest {

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 24, 31, 1024})
    void everyVersionThatWasWrittenIsRight(int bytes) {
        for (long version = 0; version < 100; version++) {
            assertThat(KeyedValue.fault(KeyedValue.of(7, version, bytes), 7, 99, bytes))
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 24, 31, 1024})
    void everyFlippedBitIsFound(int bytes) {
        byte[] value = KeyedValue.of(7, 3, bytes);
        for (int bit = 0; bit < bytes * Byte.SIZE; bit++) {
            byte[] flipped = value.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThat(KeyedValue.fault(flipped, 7, 100, bytes))
                    .as("bit " + bit)
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 1024})
    void whatIsWrongIsSaid(int bytes) {
        byte[] value = KeyedValue.of(7, 3, bytes);
        assertThat(KeyedValue.fault(value, 8, 9, bytes)).isEqualTo("key 8 holds a value of key 7");
        assertThat(KeyedValue.fault(value, 7, 2, bytes)).isEqualTo("key 7 holds version 3, which was never written");
        assertThat(KeyedValue.fault(Arrays.copyOf(value, 20), 7, 9, bytes))
                .isEqualTo("key 7 holds 20 bytes instead of " + bytes);
        byte[] torn = KeyedValue.of(7, 4, bytes);
        System.arraycopy(value, 0, torn, 0, bytes - 4);
        assertThat(KeyedValue.fault(torn, 7, 9, bytes)).isEqualTo("key 7 holds a value of version 3 that is torn");
    }
}
