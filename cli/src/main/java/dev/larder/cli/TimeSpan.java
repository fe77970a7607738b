package dev.larder.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in the notation of the command line: {@code 0s}, {@code 50us}, {@code 250ms}, {@code 8s}, {@code 2m}. */
public final class TimeSpan {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*(us|ms|s|m|h)", Pattern.CASE_INSENSITIVE);

    private TimeSpan() {}

    /**
     * Returns the duration that a text names.
     *
     * @throws IllegalArgumentException whose text names the input and the accepted notation
     */
    public static Duration parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a length of time: '" + text + "' (write a whole number with us, ms, s, m or h, such as 8s)");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "us" -> Duration.ofNanos(1_000 * number);
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }
}
