package dev.larder.lab.map;

import dev.larder.cli.Figures;
import java.util.Locale;

/**
 * What is done at random places, and timed.
 *
 * @param name in results
 * @param writesPercent puts among the operations, in percent; the others are gets
 * @param newPercent of the puts: those of keys that are not there yet, in percent
 * @param inPlace whether the others read where the value lies
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

    /** Returns what a child is asked. */
    Figures question() {
        return new Figures()
                .put("operation", name)
                .put("writes_percent", writesPercent)
                .put("new_percent", newPercent)
                .put("in_place", inPlace);
    }

    /** Returns whether keys are looked for. */
    boolean finds() {
        return writesPercent < 100;
    }

    /** Returns gets with so many puts among them, of which so many are of new keys. */
    static MapOperation writes(int percent, int newPercent) {
        return switch (percent) {
            case 0 -> GET;
            case 100 -> new MapOperation("put", percent, newPercent, false);
            default -> new MapOperation(String.format(Locale.ROOT, "mix-%d", percent), percent, newPercent, false);
        };
    }
}
