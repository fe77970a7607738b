package dev.larder.map.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The hash of keys, compared with its definition: words of eight bytes, then the remaining bytes, the first one highest. */
final class KeyHashTest {

    private static final long A = 0x9E37_79B9_7F4A_7C15L;
    private static final long B = 0xD6E8_FEB8_6659_FD93L;

    private final Random random = new Random(42);

    private static long defined(byte[] key, long seed) {
        long hash = seed + A * key.length;
        int at = 0;
        for (; at + 8 <= key.length; at += 8) {
            hash = mix(hash, Long.reverseBytes(number(key, at, at + 8)));
        }
        hash = mix(hash, number(key, at, key.length));
        hash = (hash ^ (hash >>> 32)) * A;
        hash = (hash ^ (hash >>> 29)) * B;
        return hash ^ (hash >>> 32);
    }

    private static long number(byte[] key, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            number = (number << 8) | (key[i] & 0xFF);
        }
        return number;
    }

    private static long mix(long hash, long word) {
        long both = hash ^ word;
        return Long.rotateLeft(hash, 29) + (both * B ^ Math.unsignedMultiplyHigh(both ^ A, B));
    }

    @Test
    void isThatOfItsDefinition() {
        for (int length = 0; length < 100; length++) {
            byte[] key = new byte[length];
            random.nextBytes(key);
            MemorySegment memory = MemorySegment.ofArray(new byte[length + 3]);
            MemorySegment.copy(key, 0, memory, ValueLayout.JAVA_BYTE, 3, length);
            long seed = random.nextLong();
            assertThat(KeyHash.of(memory, 3, length, seed)).isEqualTo(defined(key, seed));
        }
    }

    @Test
    void isTheSameOfAWord() {
        byte[] key = new byte[8];
        random.nextBytes(key);
        MemorySegment memory = MemorySegment.ofArray(key);
        assertThat(KeyHash.ofWord(EntryLayout.word(memory, 0), 7)).isEqualTo(KeyHash.of(memory, 0, 8, 7));
    }
}
