package dev.larder.log.write;

import java.lang.foreign.Arena;

/**
 * A barrier in every thread of this JVM at once, by the one that needs it. What a thread has stored before it passes is seen by
 * the caller; what the caller has stored before is seen by each load of a thread after it. So of two threads that store one word
 * each, and then load the other's, one need not pay for a barrier of its own.
 *
 * <p>Closing a shared arena does that. The JVM makes each thread stop for a moment, at a point between two accesses, to know
 * that none of them is inside the arena. It takes some ten microseconds.
 */
final class ThreadBarrier {

    private ThreadBarrier() {}

    static void pass() {
        Arena.ofShared().close();
    }
}
