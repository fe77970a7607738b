package dev.larder.lab.result;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates as people write them: {@code 500}, {@code 10k}, {@code 2.5k/s}, {@code 1M}. */
public final class Rate {

    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)\\s*([kM])?(?:/s)?", Pattern.CASE_INSENSITIVE);

    private Rate() {}

    /**
     * Returns how many a second a text names.
     *
     * @throws IllegalArgumentException with what was found and what is accepted
     */
    public static double parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a rate: '" + text
                    + "' (write a number a second, with k for thousands and M for millions," + " such as 10k)");
        }
        String unit = matcher.group(2);
        double number = Double.parseDouble(matcher.group(1));
        return unit == null ? number : number * (unit.toLowerCase(Locale.ROOT).equals("k") ? 1e3 : 1e6);
    }
}
