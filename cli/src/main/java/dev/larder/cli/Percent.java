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
        try {
            return new Percent(Double.parseDouble(number));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a percentage: '" + text + "' (write a number, such as 10%)", e);
        }
    }
}
