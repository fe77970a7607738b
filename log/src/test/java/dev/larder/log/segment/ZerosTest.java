package dev.larder.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.TestLogs;
import dev.larder.memory.doubles.DelegatingStorage;
import org.junit.jupiter.api.Test;

/** When zeros that are written ahead of a writer stay in memory until the writer reaches them. */
final class ZerosTest {

    private static final long MEMORY_BYTES = 1L << 30;
    private static final long MIB = 1L << 20;

    private long nanos = 5_000_000_000L;

    private final Zeros zeros = new Zeros(new DelegatingStorage(TestLogs.storage()) {
        @Override
        public long memoryBytes() {
            return MEMORY_BYTES;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }
    });

    @Test
    void thoseOfALogStayThatFits() {
        assertThat(zeros.stay(64 * MIB, 14)).isTrue();
        assertThat(zeros.stay(64 * MIB, 15)).isFalse();
    }

    @Test
    void thoseOfASmallFileStayWhereFilesAreFilledFast() {
        assertThat(zeros.stay(32 * MIB, 200))
                .as("nothing is known of the writer")
                .isFalse();
        zeros.made(200);
        nanos += 999_999_999;
        assertThat(zeros.stay(32 * MIB, 201)).isTrue();
        assertThat(zeros.stay(32 * MIB, 200))
                .as("in place of one that was dropped")
                .isFalse();
        assertThat(zeros.stay(32 * MIB + 1, 201)).as("more than a small part").isFalse();
        nanos += 1;
        assertThat(zeros.stay(32 * MIB, 201)).as("a second a file").isFalse();
    }
}
