package dev.larder.log.write;

import java.lang.foreign.Arena;

/**
 * A barrier in every thread of this JVM at once, made by the thread that needs it. The caller sees what another thread stored
 * before it passed the barrier. Each load of that thread after the barrier sees what the caller stored before. So if two
 * threads store one word each, and then load the other's, one of them need not pay for a barrier of its own.
 *
 * <p>Closing a shared arena makes such a barrier. The JVM makes each thread stop for a moment, at a point between two
 * accesses, to know that none of them is inside the arena. It takes some ten microseconds.
 */
final class ThreadBarrier {

    private ThreadBarrier() {}

    static void pass() {
        Arena.ofShared().close();
    }
}
