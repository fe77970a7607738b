package dev.larder.lab.run;

import java.time.Duration;

/** The time that the rounds of a run may take: a round is begun when one as long as the longest yet still fits. */
final class RoundTime {

    private final long end;
    private long longestNanos;

    RoundTime(int seconds) {
        end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    }

    /** Returns whether there is time for another round: always for the first that counts. */
    boolean allowsAnother() {
        return longestNanos == 0 || end - System.nanoTime() >= longestNanos;
    }

    /** Notes how long a round took; rounds of warm-up, with numbers below zero, are shorter and tell nothing. */
    void took(int round, long nanos) {
        longestNanos = round < 0 ? longestNanos : Math.max(longestNanos, nanos);
    }
}
