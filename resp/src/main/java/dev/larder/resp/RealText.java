package dev.larder.resp;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers with a fraction as C prints them with {@code %.17g}: 17 digits at most, no zeros at the end. */
final class RealText {

    private static final int DIGITS = 17;
    private static final int LEAST_EXPONENT = -4;
    private static final MathContext ROUNDING = new MathContext(DIGITS, RoundingMode.HALF_EVEN);

    private RealText() {}

    static String of(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(ROUNDING).stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        return exponent < LEAST_EXPONENT || exponent >= DIGITS
                ? scientific(rounded, exponent)
                : rounded.toPlainString();
    }

    private static String scientific(BigDecimal rounded, int exponent) {
        String digits = rounded.unscaledValue().abs().toString();
        StringBuilder text = new StringBuilder(rounded.signum() < 0 ? "-" : "").append(digits.charAt(0));
        if (digits.length() > 1) {
            text.append('.').append(digits, 1, digits.length());
        }
        text.append('e').append(exponent < 0 ? '-' : '+');
        int magnitude = Math.abs(exponent);
        return text.append(magnitude < 10 ? "0" : "").append(magnitude).toString();
    }
}
