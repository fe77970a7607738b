package dev.larder.lab.run;

import java.time.Duration;

/** The time limit of a run's rounds: a round begins if one as long as the longest so far still fits. */
final class RoundTime {

    private final long end;
    private long longestNanos;

    RoundTime(int seconds) {
        end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    }

    /** Returns whether another round fits: always for the first that counts. */
    boolean allowsAnother() {
        return longestNanos == 0 || end - System.nanoTime() >= longestNanos;
    }

    /** Records the time of a round; ignores warm-up rounds, with negative numbers, which are shorter. */
    void took(int round, long nanos) {
        longestNanos = round < 0 ? longestNanos : Math.max(longestNanos, nanos);
    }
}
