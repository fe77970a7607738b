package dev.larder.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sizes in the notation of the command line: {@code 512}, {@code 512B}, {@code 1KiB}, {@code 128MiB}, {@code 1.5GiB},
 * {@code 16G}.
 */
public final class ByteSize {

    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)\\s*(?:([KMGT])(?:i?B)?|B)?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "KMGT";

    private ByteSize() {}

    /**
     * Returns the bytes that a text names. Units are powers of 1024, whether written K, KB or KiB.
     *
     * @throws IllegalArgumentException whose text names the input and the accepted notation
     */
    public static long parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a size: '" + text + "' (write a number with B, KiB, MiB, GiB or TiB, such as 128MiB)");
        }
        double bytes = Double.parseDouble(matcher.group(1)) * unit(matcher.group(2));
        if (bytes != Math.rint(bytes) || bytes > 1L << 60) {
            throw new IllegalArgumentException("not a whole number of bytes below 2^60: '" + text + "'");
        }
        return (long) bytes;
    }

    private static double unit(@Nullable String letter) {
        return letter == null ? 1 : Math.pow(1024, 1 + UNITS.indexOf(letter.toUpperCase(Locale.ROOT)));
    }

    /** Returns a size as text: in the largest unit that gives at least 1, with at most two decimals. */
    public static String format(long bytes) {
        if (Math.abs(bytes) < 1024) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (Math.abs(value) >= 1024 && unit < UNITS.length() - 1) {
            value /= 1024;
            unit++;
        }
        String number = value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
        return number + " " + UNITS.charAt(unit) + "iB";
    }
}
