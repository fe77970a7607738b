package dev.larder.resp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The precision in which Redis computes {@code INCRBYFLOAT} on x86-64: a {@code long double} has 64 significant binary digits.
 * Digits beyond the 128th behind the point are dropped: a reply shows 17.
 */
public final class LongDouble {

    private static final int BITS = 64;
    private static final int SCALE_MAX = 128;

    private LongDouble() {}

    /** Returns the nearest number with 64 significant binary digits; the one whose last digit is 0, if two are equally near. */
    public static BigDecimal round(BigDecimal given) {
        BigDecimal value = given.scale() > SCALE_MAX ? given.setScale(SCALE_MAX, RoundingMode.HALF_EVEN) : given;
        if (value.signum() == 0) {
            return value;
        }
        BigInteger numerator = value.unscaledValue().abs();
        BigInteger denominator = BigInteger.ONE;
        if (value.scale() > 0) {
            denominator = BigInteger.TEN.pow(value.scale());
        } else {
            numerator = numerator.multiply(BigInteger.TEN.pow(-value.scale()));
        }
        int shift = BITS - (numerator.bitLength() - denominator.bitLength()); // the quotient has 64 or 65 bits
        BigInteger digits = divide(numerator, denominator, shift);
        if (digits.bitLength() > BITS) {
            digits = divide(numerator, denominator, --shift); // may be 2^64, which has one significant bit
        }
        BigDecimal rounded = shift < 0
                ? new BigDecimal(digits.shiftLeft(-shift))
                : new BigDecimal(digits).divide(new BigDecimal(BigInteger.ONE.shiftLeft(shift)));
        return value.signum() < 0 ? rounded.negate() : rounded;
    }

    /** Returns the quotient times a power of two, rounded to the nearest integer. */
    private static BigInteger divide(BigInteger numerator, BigInteger denominator, int shift) {
        BigInteger dividend = shift > 0 ? numerator.shiftLeft(shift) : numerator;
        BigInteger divisor = shift < 0 ? denominator.shiftLeft(-shift) : denominator;
        return new BigDecimal(dividend)
                .divide(new BigDecimal(divisor), 0, RoundingMode.HALF_EVEN)
                .toBigIntegerExact();
    }
}
