package dev.larder.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers in the notation of the command line: {@code 50000}, {@code 100k}, {@code 1M}. Units are powers of 1000. */
public final class Quantity {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})\\s*([kMG])?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "KMG";

    private Quantity() {}

    /**
     * Returns the number that a text names.
     *
     * @throws IllegalArgumentException whose text names the input and the accepted notation
     */
    public static long parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a count: '" + text + "' (write a whole number, optionally with k or M, such as 100k)");
        }
        long number = Long.parseLong(matcher.group(1));
        long unit = unit(matcher.group(2));
        if (number > Long.MAX_VALUE / unit) {
            throw new IllegalArgumentException(
                    "too large: '" + text + "' (the largest count is " + Long.MAX_VALUE + ")");
        }
        return number * unit;
    }

    private static long unit(@Nullable String letter) {
        return letter == null ? 1 : (long) Math.pow(1000, 1 + UNITS.indexOf(letter.toUpperCase(Locale.ROOT)));
    }
}
