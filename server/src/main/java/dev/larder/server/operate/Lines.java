package dev.larder.server.operate;

import java.util.Locale;

/** Lines {@code NAME:VALUE} of a reply to {@code INFO}. */
final class Lines {

    private static final int UNIT = 1024;
    private static final String UNITS = "BKMGTP";

    private final StringBuilder text = new StringBuilder();

    void section(String title) {
        if (!text.isEmpty()) {
            text.append("\r\n");
        }
        text.append("# ").append(title).append("\r\n");
    }

    void add(String name, Object value) {
        text.append(name).append(':').append(value).append("\r\n");
    }

    void add(String name, double value, int digits) {
        add(name, String.format(Locale.ROOT, "%." + digits + "f", value));
    }

    /** Adds a number of bytes, and the same in a form for people. */
    void addBytes(String name, long bytes) {
        add(name, bytes);
        add(name + "_human", human(bytes));
    }

    static String human(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= UNIT && unit < UNITS.length() - 1) {
            value /= UNIT;
            unit++;
        }
        return unit == 0 ? bytes + "B" : String.format(Locale.ROOT, "%.2f%c", value, UNITS.charAt(unit));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
