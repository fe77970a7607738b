package dev.larder.array.campaign;

/**
 * The clock of a node whose time the test sets forward and back. {@link Plant#clocksThatStep} makes the node's code call it in
 * the place of the system's.
 */
public final class PlantedClock {

    private static volatile long aheadMillis;

    private PlantedClock() {}

    /** Returns the node's time, in milliseconds since 1970. */
    public static long millis() {
        return System.currentTimeMillis() + aheadMillis;
    }

    /** Sets by how much the node's clock is ahead of the system's from now on. */
    static void step(long ahead) {
        aheadMillis = ahead;
    }
}
