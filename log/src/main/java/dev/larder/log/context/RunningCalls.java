package dev.larder.log.context;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The calls of a session that its closing waits for. A call enters before it looks whether the session is closed, and a
 * closer says so before it looks for calls: one of the two sees the other.
 *
 * <p>Not for appends and reads. A closer waits for those at the appender or reader, which costs them nothing.
 */
final class RunningCalls {

    private static final long PAUSE_NANOS = 20_000;

    private static final class Call {
        private final Thread thread = Thread.currentThread();

        /** Stored as the call ends: after a stack overflow the call that takes it out of the set may not fit on the stack. */
        private volatile boolean ended;

        private boolean isOf(Thread other) {
            return !ended && thread.equals(other);
        }
    }

    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    /**
     * Makes a call.
     *
     * @param requireOpen fails when the session was closed; not asked within a call, which a closing waits for as a whole
     */
    <R> R make(Runnable requireOpen, Supplier<R> work) {
        boolean outermost = !isInside();
        Call call = new Call();
        try {
            calls.add(call);
            if (outermost) {
                requireOpen.run();
            }
            return work.get();
        } finally {
            call.ended = true;
            calls.remove(call);
        }
    }

    /** Returns whether the calling thread is inside of one. */
    boolean isInside() {
        Thread self = Thread.currentThread();
        return calls.stream().anyMatch(call -> call.isOf(self));
    }

    /** Waits until no call is left; not interruptible. None goes on that enters meanwhile. */
    void awaitEnd() {
        while (calls.stream().anyMatch(call -> !call.ended)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
