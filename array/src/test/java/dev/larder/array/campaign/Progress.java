package dev.larder.array.campaign;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Tells slow from stuck: on a busy machine all takes long, and what is stuck gets into no state in which it was not before. */
final class Progress {

    static final long STILL_MOST_MINUTES = 2;

    private final Set<Object> seen = new HashSet<>();
    private long sinceNanos = System.nanoTime();

    /** Takes the state of now; returns whether there was a new one a short time ago. */
    boolean goesOn(Object state) {
        long now = System.nanoTime();
        if (seen.add(state)) {
            sinceNanos = now;
        }
        return now - sinceNanos < TimeUnit.MINUTES.toNanos(STILL_MOST_MINUTES);
    }
}
