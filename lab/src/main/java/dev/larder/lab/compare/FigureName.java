package dev.larder.lab.compare;

/** What the name of a figure tells: {@code p99_us} is a time in microseconds. */
final class FigureName {

    private FigureName() {}

    /** Returns the name for people, without the unit. */
    static String words(String figure) {
        return figure.replaceFirst("_(us|ms|per_s)(?=_|$)", "").replace('_', ' ');
    }
}
