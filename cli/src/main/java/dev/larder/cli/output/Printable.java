package dev.larder.cli.output;

import java.util.Locale;

/** Untrusted names for a terminal. Characters that would move its cursor, or do worse, are escaped. */
public final class Printable {

    private Printable() {}

    public static String text(String name) {
        StringBuilder printable = new StringBuilder();
        name.chars().forEach(unit -> append(printable, (char) unit));
        return printable.toString();
    }

    private static void append(StringBuilder printable, char unit) {
        if (Character.isISOControl(unit)) {
            printable.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        } else {
            printable.append(unit);
        }
    }
}
