package dev.larder.cli.output;

/** Counts with their noun: {@code 1 message}, {@code 2 messages}, {@code 0 entries}. */
public final class Counted {

    private Counted() {}

    /** Returns a number and its noun in singular or plural. */
    public static String of(long number, String word) {
        if (number == 1) {
            return number + " " + word;
        }
        return number + " " + (word.endsWith("y") ? word.substring(0, word.length() - 1) + "ies" : word + "s");
    }
}
