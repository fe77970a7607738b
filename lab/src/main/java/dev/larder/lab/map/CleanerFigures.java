package dev.larder.lab.map;

import dev.larder.cli.Figures;

/**
 * The bytes that a map's cleaner wrote beside the puts of a measurement.
 *
 * <p>Keys are overwritten at random, and a share a of the log's used bytes is live. Then the oldest segments reach the
 * cleaner with a live share s, where a = (1 - s) / -ln s. The cleaner rewrites that share: 1 / (1 - s) bytes for each byte
 * put. No oldest-first cleaner writes less.
 */
final class CleanerFigures {

    private static final int HALVINGS = 100;

    private CleanerFigures() {}

    /**
     * Returns {@code written_for_one}, {@code least_for_one}, {@code alive_of_used} and {@code alive_of_files}; nothing if the
     * subject has no cleaner, or nothing was put. A grown map has no least: new entries leave nothing to clean.
     *
     * @param before {@link MapSubject#space} before the puts
     * @param after the same after them
     * @param puts how many
     * @param entries of the map before
     * @param entriesAfter of the map after
     */
    static Figures of(Figures before, Figures after, long puts, long entries, long entriesAfter) {
        if (!after.has("carried_bytes") || puts == 0) {
            return new Figures();
        }
        double put = after.number("live_bytes") / entriesAfter * puts;
        double alive = (share(before, "used_bytes") + share(after, "used_bytes")) / 2;
        double carried = after.number("carried_bytes") - before.number("carried_bytes");
        return new Figures()
                .put("written_for_one", (put + carried) / put)
                .put("least_for_one", entries == entriesAfter ? Double.valueOf(least(alive)) : null)
                .put("alive_of_used", alive)
                .put("alive_of_files", (share(before, "file_bytes") + share(after, "file_bytes")) / 2);
    }

    private static double share(Figures space, String of) {
        return space.number("live_bytes") / space.number(of);
    }

    /** Solves a = (1 - s) / -ln s by bisection; returns 1 / (1 - s). */
    static double least(double alive) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if ((1 - middle) / -Math.log(middle) < alive) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return 1 / (1 - low);
    }
}
