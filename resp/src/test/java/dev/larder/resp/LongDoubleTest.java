package dev.larder.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LongDoubleTest {

    private static final BigDecimal TWO_TO_64 = new BigDecimal(BigInteger.ONE.shiftLeft(64));

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1.5, 1.5",
        "-0.25, -0.25",
        "18446744073709551615, 18446744073709551615",
        "18446744073709551617, 18446744073709551616",
        "18446744073709551619, 18446744073709551620",
        "9223372036854775808.5, 9223372036854775808",
        "9223372036854775809.5, 9223372036854775810",
        "-9223372036854775809.5, -9223372036854775810",
        "1e27, 1000000000000000000000000000",
        "1e30, 1000000000000000000024696061952",
        "1e-200, 0"
    })
    void hasSixtyFourBinaryDigits(BigDecimal given, BigDecimal expected) {
        assertThat(LongDouble.round(given)).isEqualByComparingTo(expected);
    }

    /** Half of the last digit is at most 2^-64 of a number. */
    @Test
    void isTheNearestNumber() {
        Random random = new Random(56);
        for (int round = 0; round < 2000; round++) {
            BigDecimal given = new BigDecimal(new BigInteger(1 + random.nextInt(400), random), random.nextInt(80) - 20);
            BigDecimal rounded = LongDouble.round(given);
            assertThat(LongDouble.round(rounded)).as("%s", given).isEqualByComparingTo(rounded);
            assertThat(rounded.subtract(given).abs().multiply(TWO_TO_64))
                    .as("%s", given)
                    .isLessThanOrEqualTo(given);
        }
    }
}
