package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;

/**
 * Whether {@code System.nanoTime()} of two processes is one clock. On Linux it is CLOCK_MONOTONIC, which counts from the
 * start of the machine for everybody; elsewhere, and in another time namespace, it may begin anywhere.
 */
final class Clock {

    private Clock() {}

    /** Asks a child for its time: it must lie between the question and the answer. */
    static boolean isComparable(ChildProcess child) {
        long before = System.nanoTime();
        long there = child.ask("clock", new Figures()).whole("nanos");
        return isBetween(before, there, System.nanoTime());
    }

    static boolean isBetween(long before, long there, long after) {
        return there - before >= 0 && after - there >= 0;
    }
}
