package dev.larder.lab.map;

import dev.larder.cli.Figures;
import java.util.Locale;

/**
 * A timed operation at random places.
 *
 * @param name in results
 * @param writesPercent puts among the operations, in percent; the others are gets
 * @param newPercent puts of new keys among the puts, in percent
 * @param inPlace whether the gets read in place, without a copy
 */
record MapOperation(String name, int writesPercent, int newPercent, boolean inPlace) {

    static final MapOperation GET = new MapOperation("get", 0, 0, false);
    static final MapOperation READ = new MapOperation("read", 0, 0, true);

    static MapOperation of(Figures question) {
        return new MapOperation(
                question.text("operation"),
                Math.toIntExact(question.whole("writes_percent")),
                Math.toIntExact(question.whole("new_percent")),
                question.flag("in_place"));
    }

    /** Returns the question to a child. */
    Figures question() {
        return new Figures()
                .put("operation", name)
                .put("writes_percent", writesPercent)
                .put("new_percent", newPercent)
                .put("in_place", inPlace);
    }

    /** Returns whether it looks up keys. */
    boolean finds() {
        return writesPercent < 100;
    }

    /** Returns gets with a percentage of puts, and a percentage of new keys among these. */
    static MapOperation writes(int percent, int newPercent) {
        return switch (percent) {
            case 0 -> GET;
            case 100 -> new MapOperation("put", percent, newPercent, false);
            default -> new MapOperation(String.format(Locale.ROOT, "mix-%d", percent), percent, newPercent, false);
        };
    }
}
