package dev.larder.log.context;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The calls of a session that its closing waits for. A call enters before it checks whether the session is closed. A closer
 * marks the session as closed before it looks for calls. So one of the two sees the other.
 *
 * <p>Not for appends and reads. A closer waits for those at the appender or reader, which costs them nothing.
 */
final class RunningCalls {

    private static final long PAUSE_NANOS = 20_000;

    private static final class Call {

        /** Stored as the call ends: after a stack overflow, the removal from the map may not fit on the stack. */
        private volatile boolean ended;
    }

    /** The outermost call of each thread. A thread finds its own by one get, which writes to no shared memory. */
    private final Map<Thread, Call> calls = new ConcurrentHashMap<>();

    /**
     * Makes a call.
     *
     * @param requireOpen fails when the session was closed; not run within another call, for which a closing waits as a whole
     */
    <R> R make(Runnable requireOpen, Supplier<R> work) {
        if (isInside()) {
            return work.get();
        }
        Thread self = Thread.currentThread();
        Call call = new Call();
        try {
            calls.put(self, call);
            requireOpen.run();
            return work.get();
        } finally {
            call.ended = true;
            calls.remove(self, call);
        }
    }

    /** Returns whether the calling thread is inside a call. */
    boolean isInside() {
        Call call = calls.get(Thread.currentThread());
        return call != null && !call.ended;
    }

    /** Waits until no call is left; not interruptible. A call that enters meanwhile fails. */
    void awaitEnd() {
        for (Call call : calls.values()) {
            while (!call.ended) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
