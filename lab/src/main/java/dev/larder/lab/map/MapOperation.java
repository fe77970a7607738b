package dev.larder.lab.map;

import java.util.Locale;

/**
 * What is done at random places, and timed.
 *
 * @param name in results
 * @param writesPercent puts among the operations, in percent; the others are gets
 * @param inPlace whether the others read where the value lies
 */
record MapOperation(String name, int writesPercent, boolean inPlace) {

    static final MapOperation GET = new MapOperation("get", 0, false);
    static final MapOperation READ = new MapOperation("read", 0, true);
    static final MapOperation PUT = new MapOperation("put", 100, false);

    /** Returns whether keys are looked for. */
    boolean finds() {
        return writesPercent < 100;
    }

    /** Returns gets with so many puts among them. */
    static MapOperation writes(int percent) {
        return switch (percent) {
            case 0 -> GET;
            case 100 -> PUT;
            default -> new MapOperation(String.format(Locale.ROOT, "mix-%d", percent), percent, false);
        };
    }
}
