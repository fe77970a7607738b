package dev.larder.lab.heap;

import dev.larder.cli.Figures;
import java.util.Locale;

/**
 * The puts among the requests.
 *
 * @param percent of the requests
 * @param newPercent of the puts: those of keys that are not there yet
 * @param newKeys how many of these may come, at most
 * @param mark that tells files and figures of one share from those of others; empty where there is one share only
 */
record Puts(double percent, int newPercent, long newKeys, String mark) {

    private static final String SHARE = "-writes-";

    /** A share beside others, which its mark names. */
    static Puts marked(double percent, int newPercent, long newKeys) {
        return new Puts(percent, newPercent, newKeys, SHARE + text(percent).replace('.', '_'));
    }

    /** Puts of so many of a hundred requests, alone, to keys that are there. */
    static Puts alone(double percent) {
        return new Puts(percent, 0, 0, "");
    }

    /** Returns a share as people write it: 10, and 2.5. */
    static String text(double percent) {
        return percent == Math.rint(percent) ? String.format(Locale.ROOT, "%.0f", percent) : Double.toString(percent);
    }

    /** Returns the requests: those of keys that stay, or of keys that become more. */
    Figures workload(long keys) {
        Figures workload = new Figures().put("keys", keys).put("writes_percent", percent);
        return newKeys == 0
                ? workload.put("workload", "keys")
                : workload.put("workload", "growing-keys").put("new_percent", newPercent);
    }
}
