package dev.larder.array.pull;

import java.util.concurrent.Semaphore;

/**
 * The limits that all pulls of a node share.
 *
 * @param rate the highest rate of all together
 * @param room the room that they may take on the disk
 * @param turns how many pull at once. Each further one would make the others slower, until their sources wait for them no longer
 */
public record PullLimits(PullRate rate, DiskRoom room, Semaphore turns) {

    /** Returns limits. */
    public static PullLimits of(long bytesPerSecond, long reserveBytes, int atOnce) {
        return new PullLimits(
                new PullRate(bytesPerSecond),
                new DiskRoom(reserveBytes),
                new Semaphore(atOnce, true)); // the first first
    }
}
