package dev.larder.map;

import org.jspecify.annotations.Nullable;

/** Makes one actor of a state wait until the other has reached a step of its work, or its end. */
final class Meeting {

    static final String START = "start";

    private static final ThreadLocal<@Nullable Meeting> UNDER_WAY = new ThreadLocal<>();

    private final String step;
    private volatile boolean met;

    Meeting(String step) {
        this.step = step;
    }

    /** The listener of a {@link StressIndex}. */
    static void reached(String step) {
        Meeting own = UNDER_WAY.get();
        if (own != null && own.step.equals(step)) {
            own.met = true;
        }
    }

    /** Runs the work for which the other actor waits. */
    void run(Runnable work) {
        UNDER_WAY.set(this);
        try {
            reached(START);
            work.run();
        } finally {
            UNDER_WAY.remove();
            met = true;
        }
    }

    void await() {
        while (!met) {
            Thread.onSpinWait();
        }
    }
}
