package dev.larder.cli;

/**
 * A share given on the command line, such as {@code 10%} or {@code 10}.
 *
 * @param value the share in percent
 */
public record Percent(double value) {

    public static Percent parse(String text) {
        String stripped = text.strip();
        String number = stripped.endsWith("%") ? stripped.substring(0, stripped.length() - 1) : stripped;
        double value = number(number);
        if (!Double.isFinite(value)) { // NaN would pass every limit
            throw new IllegalArgumentException("not a percentage: '" + text + "' (write a number, such as 10%)");
        }
        return new Percent(value);
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
