package dev.larder.resp;

import java.nio.ByteBuffer;

/**
 * Integers as Redis reads them: an optional minus, then digits without a leading zero, within 64 bits. A plus, a space, an
 * empty text and {@code -0} are not integers.
 */
public final class Decimal {

    private Decimal() {}

    /** Returns whether the bytes from an index to another, exclusive, are an integer. */
    public static boolean isInteger(ByteBuffer bytes, int from, int to) {
        int first = from < to && bytes.get(from) == '-' ? from + 1 : from;
        int digits = to - first;
        if (digits < 1 || digits > 19) {
            return false;
        }
        if (bytes.get(first) == '0') {
            return digits == 1 && first == from;
        }
        for (int i = first; i < to; i++) {
            if (!isDigit(bytes.get(i))) {
                return false;
            }
        }
        return digits < 19 || fits(bytes, first, to, first > from);
    }

    /** Returns the value of bytes for which {@link #isInteger} is true. */
    public static long value(ByteBuffer bytes, int from, int to) {
        boolean negative = bytes.get(from) == '-';
        long value = 0;
        for (int i = negative ? from + 1 : from; i < to; i++) {
            value = value * 10 - (bytes.get(i) - '0'); // below 0, where there is one number more
        }
        return negative ? value : -value;
    }

    private static boolean isDigit(byte character) {
        return character >= '0' && character <= '9';
    }

    /** Compares 19 digits with the greatest number, or the least. */
    private static boolean fits(ByteBuffer bytes, int first, int to, boolean negative) {
        String most = negative ? "9223372036854775808" : "9223372036854775807";
        for (int i = first; i < to; i++) {
            int difference = bytes.get(i) - most.charAt(i - first);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return true;
    }
}
