package dev.larder.lab.load;

/** When requests are to leave: an ascending row of moments, counted from the start of the load. */
@FunctionalInterface
public interface Arrivals {

    /** What {@link #next} returns when there are no more. */
    long END = Long.MAX_VALUE;

    /** Returns the next moment in nanoseconds since the start, or {@link #END}. */
    long next();
}
