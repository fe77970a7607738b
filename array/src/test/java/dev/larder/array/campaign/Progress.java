package dev.larder.array.campaign;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Distinguishes slow from stuck. On a busy machine everything takes long, but a stuck run gets into no new state. */
final class Progress {

    static final long STILL_MOST_MINUTES = 2;

    private final Set<Object> seen = new HashSet<>();
    private long sinceNanos = System.nanoTime();

    /** Records the present state. Returns whether there was a new one a short time ago. */
    boolean goesOn(Object state) {
        long now = System.nanoTime();
        if (seen.add(state)) {
            sinceNanos = now;
        }
        return now - sinceNanos < TimeUnit.MINUTES.toNanos(STILL_MOST_MINUTES);
    }
}
