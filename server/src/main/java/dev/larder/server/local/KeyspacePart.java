package dev.larder.server.local;

import java.util.List;

/**
 * A part of a keyspace that has figures of its own: a stripe of an array.
 *
 * @param number the number of the part
 * @param figures its figures; all parts of a keyspace have the same ones, in the same order
 */
public record KeyspacePart(int number, List<Figure> figures) {

    /** Keeps a copy of the list. */
    public KeyspacePart {
        figures = List.copyOf(figures);
    }

    /**
     * A figure.
     *
     * @param name what it is, in lower case, with its unit last
     * @param isCounter whether it only grows until the node starts again
     * @param help what it is, in a few words
     * @param value the figure
     */
    public record Figure(String name, boolean isCounter, String help, long value) {

        /** A figure that only grows. */
        public static Figure counter(String name, String help, long value) {
            return new Figure(name, true, help, value);
        }

        /** A figure that rises and falls. */
        public static Figure gauge(String name, String help, long value) {
            return new Figure(name, false, help, value);
        }
    }
}
