package dev.larder.lab.compare;

import dev.larder.lab.report.Unit;

/** What the name of a figure tells: {@code p99_us} is a time in microseconds. */
final class FigureName {

    private FigureName() {}

    static Unit unit(String figure) {
        if (figure.contains("_us")) {
            return Unit.MICROSECONDS;
        }
        if (figure.contains("_ms")) {
            return Unit.MILLISECONDS;
        }
        if (figure.contains("bytes")) {
            return Unit.BYTES;
        }
        return figure.endsWith("_per_s") ? Unit.PER_SECOND : Unit.PLAIN;
    }

    /** Returns the name for people, without the unit. */
    static String words(String figure) {
        return figure.replaceFirst("_(us|ms|per_s)(?=_|$)", "").replace('_', ' ');
    }
}
