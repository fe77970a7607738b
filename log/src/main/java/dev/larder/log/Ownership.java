package dev.larder.log;

import dev.larder.memory.ClosedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Who works with an appender or a reader: one thread at a time, until it is closed. A compare-and-set to enter, a
 * release store to leave. Closing waits until the thread inside has left.
 */
abstract class Ownership implements AutoCloseable {

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Ownership.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int CLOSED = 2;

    private static final int SPINS = 100;
    private static final long PAUSE_NANOS = 20_000;

    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    private volatile boolean closing;

    private @Nullable Thread owner;

    /** Enters at once, or fails: for what one thread at a time must use. */
    final void enterAlone() {
        if (!STATE.compareAndSet(this, FREE, TAKEN)) {
            checkOpen();
            throw new IllegalStateException(this + " is in use by " + owner + "; one thread at a time");
        }
        owner = Thread.currentThread();
    }

    /** Enters unless somebody is inside, or this is closed; for the background. */
    final boolean tryEnter() {
        boolean entered = STATE.compareAndSet(this, FREE, TAKEN);
        if (entered) {
            owner = Thread.currentThread();
        }
        return entered;
    }

    /** Enters, waiting for the thread inside: for what threads share. */
    final void enter() {
        if (!STATE.compareAndSet(this, FREE, TAKEN)) {
            enterAfterWait();
        }
        owner = Thread.currentThread();
    }

    private void enterAfterWait() {
        if (isInside()) {
            throw new IllegalStateException(this + " is called from inside its own handler");
        }
        int tries = 0;
        while (!STATE.compareAndSet(this, FREE, TAKEN)) {
            checkOpen();
            if (tries++ < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    final void leave() {
        owner = null;
        STATE.setRelease(this, FREE);
    }

    /** Closes for good; waits for the thread inside. Returns false when it was closed before. */
    final boolean enterForGood() {
        if (isInside()) {
            throw new IllegalStateException(this + " is closed from inside its own handler");
        }
        closing = true;
        while (!STATE.compareAndSet(this, FREE, CLOSED)) {
            if ((int) STATE.getAcquire(this) == CLOSED) {
                return false;
            }
            nudge();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    /** Called again and again while a closer waits for the thread inside, which may sleep. */
    void nudge() {}

    /** Ends the park of the thread inside, if it is parked; one that has just left gets a wake that means nothing. */
    final void unparkOwner() {
        Thread inside = owner;
        if (inside != null) {
            LockSupport.unpark(inside);
        }
    }

    /** Returns whether the calling thread is the one inside. */
    final boolean isInside() {
        return Thread.currentThread().equals(owner);
    }

    /** Closes it for good; waits for the thread inside. */
    @Override
    public abstract void close();

    final boolean isClosed() {
        return (int) STATE.getAcquire(this) == CLOSED;
    }

    /**
     * Fails when somebody waits to close this: for who goes in and out again and again. One that is woken, looks and goes
     * back to sleep, inside, was outside for too short a time for its closer to get in; that took a minute, once.
     */
    final void checkNotClosing() {
        if (closing) {
            throw new ClosedException(this + " is closed");
        }
    }

    private void checkOpen() {
        if (isClosed()) {
            throw new ClosedException(this + " is closed");
        }
    }
}
