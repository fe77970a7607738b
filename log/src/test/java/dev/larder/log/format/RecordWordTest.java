package dev.larder.log.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Position;
import dev.larder.log.shared.Slots;
import dev.larder.tests.support.Samples;
import org.junit.jupiter.api.Test;

final class RecordWordTest {

    private static final long SALT = 0x0123_4567_89AB_CDEFL;

    @Test
    void knowsTheStatesByTwoBits() {
        assertThat(RecordWord.state(RecordWord.FREE)).isZero();
        assertThat(RecordWord.state(1L << 30)).isEqualTo(RecordWord.RESERVED);
        assertThat(RecordWord.state(2L << 30)).isEqualTo(RecordWord.COMMITTED);
        assertThat(RecordWord.state(3L << 30)).isEqualTo(RecordWord.PADDING);
    }

    @Test
    void takesTheNextMultipleOf8BehindTheWord() {
        assertThat(RecordWord.sizeBytes(0)).isEqualTo(8);
        assertThat(RecordWord.sizeBytes(1)).isEqualTo(16);
        assertThat(RecordWord.sizeBytes(8)).isEqualTo(16);
        assertThat(RecordWord.sizeBytes(9)).isEqualTo(24);
        assertThat(RecordWord.sizeBytes(RecordWord.LENGTH_MAX)).isEqualTo((1L << 30) - 8);
    }

    /** Compares the code with the formula of docs/formats/log.md, in arithmetic of another kind. */
    @Test
    void foldsAsTheFormatSays() {
        assertThat(RecordWord.committed(0, 0, 0, 0)).isEqualTo(word(0, 0, 0x8000_0000L));
        assertThat(RecordWord.committed(SALT, Position.of(3, 4096), 77, 0))
                .isEqualTo(word(SALT, 3L << 32 | 4096, 0x8000_0000L | 77));
        assertThat(RecordWord.committed(SALT, Position.of(3, 4096), 77, 0xCAFE_BABE) ^ (0xCAFE_BABEL << 32))
                .isEqualTo(word(SALT, 3L << 32 | 4096, 0x8000_0000L | 77));
    }

    /** Computes the format page's fold by other operations than the code's. */
    private static long word(long salt, long position, long low) {
        java.math.BigInteger modulus = java.math.BigInteger.ONE.shiftLeft(64);
        long a = unsigned(salt ^ position)
                .multiply(new java.math.BigInteger("9E3779B97F4A7C15", 16))
                .mod(modulus)
                .longValue();
        long b = unsigned(a ^ Long.divideUnsigned(a, 1L << 32) ^ low)
                .multiply(new java.math.BigInteger("D6E8FEB86659FD93", 16))
                .mod(modulus)
                .longValue();
        return Long.divideUnsigned(b, 1L << 32) * (1L << 32) + low;
    }

    private static java.math.BigInteger unsigned(long value) {
        return new java.math.BigInteger(Long.toUnsignedString(value));
    }

    @Test
    void namesTheWriterWhileReserved() {
        Samples.check(random -> {
            int length = Samples.intWithin(random, 0, RecordWord.LENGTH_MAX);
            int slot = Samples.intWithin(random, 0, 1023);
            int generation = Samples.intWithin(random, 1, 65535);
            int owner = Slots.owner(slot, generation);
            long word = RecordWord.reserved(length, owner);
            assertThat(RecordWord.state(word)).isEqualTo(RecordWord.RESERVED);
            assertThat(RecordWord.length(word)).isEqualTo(length);
            assertThat(RecordWord.owner(word)).isEqualTo(owner);
            assertThat(RecordWord.owner(word) >>> 16).isEqualTo(slot);
            assertThat(RecordWord.isEnd(word)).isFalse();
            assertThat(RecordWord.isSound(word, SALT, 0, 0)).isFalse();
        });
    }

    @Test
    void checksACommittedWord() {
        Samples.check(random -> {
            long salt = random.nextLong();
            int place = Samples.intWithin(random, 0, 1 << 20);
            int length = Samples.intWithin(random, 0, RecordWord.LENGTH_MAX);
            int crc = random.nextInt();
            long position = Position.of(place >>> 10, (place & 1023) * 8L);
            long word = RecordWord.committed(salt, position, length, crc);
            assertThat(RecordWord.state(word)).isEqualTo(RecordWord.COMMITTED);
            assertThat(RecordWord.length(word)).isEqualTo(length);
            assertThat(RecordWord.isEnd(word)).isFalse();
            assertThat(RecordWord.isSound(word, salt, position, crc)).isTrue();
        });
    }

    @Test
    void checksAPaddingWord() {
        Samples.check(random -> {
            long salt = random.nextLong();
            int place = Samples.intWithin(random, 0, 1 << 20);
            int length = Samples.intWithin(random, 0, RecordWord.LENGTH_MAX);
            int kind = Samples.intWithin(random, 0, 255);
            long word = RecordWord.padding(salt, place * 8L, length, kind);
            assertThat(RecordWord.state(word)).isEqualTo(RecordWord.PADDING);
            assertThat(RecordWord.length(word)).isEqualTo(length);
            assertThat(RecordWord.paddingKind(word)).isEqualTo(kind);
            assertThat(RecordWord.isEnd(word)).isFalse();
            assertThat(RecordWord.isSound(word, salt, place * 8L, 0)).isTrue();
        });
    }

    @Test
    void endsASegment() {
        Samples.check(random -> {
            long salt = random.nextLong();
            int place = Samples.intWithin(random, 0, 1 << 20);
            long word = RecordWord.end(salt, place * 8L);
            assertThat(RecordWord.isEnd(word)).isTrue();
            assertThat(RecordWord.state(word)).isEqualTo(RecordWord.PADDING);
            assertThat(RecordWord.length(word)).isEqualTo(RecordWord.END_LENGTH);
            assertThat(RecordWord.paddingKind(word)).isEqualTo(RecordWord.KIND_END);
            assertThat(RecordWord.isSound(word, salt, place * 8L, 0)).isTrue();
        });
    }

    /** No chance is involved: the odd factor carries a change of any one bit of the low half into the check. */
    @Test
    void findsEveryFlippedBitOfACommittedWord() {
        Samples.check(random -> {
            long salt = random.nextLong();
            int place = Samples.intWithin(random, 0, 1 << 20);
            int length = Samples.intWithin(random, 0, RecordWord.LENGTH_MAX);
            int bit = Samples.intWithin(random, 0, 63);
            long word = RecordWord.committed(salt, place * 8L, length, 0);
            long damaged = word ^ (1L << bit);
            assertThat(RecordWord.isSound(damaged, salt, place * 8L, 0)).isFalse();
        });
    }

    /** A moved word passes with a probability of 2^-32; none of these 10000 words of fixed seeds does. */
    @Test
    void refusesWordsThatWereMoved() {
        java.util.Random random = new java.util.Random(7);
        for (int i = 0; i < 10_000; i++) {
            long salt = random.nextLong();
            long from = Position.of(random.nextInt(1000), random.nextInt(1 << 20) * 8L);
            long to = Position.of(random.nextInt(1000), random.nextInt(1 << 20) * 8L);
            long word = RecordWord.committed(salt, from, random.nextInt(1 << 20), random.nextInt());
            int crc = (int) (word >>> 32) ^ (int) (RecordWord.committed(salt, from, RecordWord.length(word), 0) >>> 32);
            assertThat(RecordWord.isSound(word, salt, from, crc)).isTrue();
            assertThat(from == to || !RecordWord.isSound(word, salt, to, crc)).isTrue();
            assertThat(RecordWord.isSound(word, salt + 1 + random.nextInt(1000), from, crc))
                    .isFalse();
        }
    }

    @Test
    void freeAndReservedAreNeverSound() {
        assertThat(RecordWord.isSound(RecordWord.FREE, 0, 0, 0)).isFalse();
        assertThat(RecordWord.isSound(RecordWord.reserved(0, 0), 0, 0, 0)).isFalse();
    }
}
