package dev.larder.map.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The length that a thread expects of the next record. */
class ExpectedLengthTest {

    private final ExpectedLength expected = new ExpectedLength();

    @Test
    void nothingIsExpectedAtFirst() {
        assertThat(expected.bytes()).isZero();
    }

    @Test
    void recordsOfOneLengthAreExpectedWhole() {
        for (int i = 0; i < 64; i++) {
            expected.met(1_700);
        }
        assertThat(expected.bytes()).isEqualTo(1_700);
    }

    /** So a short record among long ones does not make the next short ones cost the lines of a long one. */
    @Test
    void itFallsAtOnceAndRisesByQuarters() {
        for (int i = 0; i < 64; i++) {
            expected.met(1_000);
        }
        expected.met(200);
        assertThat(expected.bytes()).isEqualTo(200);
        expected.met(1_000);
        assertThat(expected.bytes()).isEqualTo(400);
    }

    @Test
    void noMoreThanAPageIsExpected() {
        for (int i = 0; i < 64; i++) {
            expected.met(1 << 20);
        }
        assertThat(expected.bytes()).isEqualTo(4096);
    }
}
