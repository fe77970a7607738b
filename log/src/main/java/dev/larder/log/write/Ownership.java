package dev.larder.log.write;

import dev.larder.memory.ClosedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to work with an appender or a reader: one thread at a time has it, until it is closed. A compare-and-set to
 * enter, a release store to leave. Closing waits until the thread inside has left.
 */
public abstract class Ownership implements AutoCloseable {

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Ownership.class, "owner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Stands in place of the thread inside once this is closed. */
    private static final Object CLOSED = new Object();

    private static final int SPINS = 100;
    private static final long PAUSE_NANOS = 20_000;

    private volatile boolean closing;

    /**
     * The thread inside; null while nobody is.
     *
     * <p>Whoever leaves by an error of the JVM stores null here by himself: after a stack overflow a call of {@link #leave}
     * may not fit on the stack either, and nobody could ever enter again.
     */
    public volatile @Nullable Object owner;

    /** Enters at once, or fails: for what one thread at a time must use. */
    public final void enterAlone() {
        Thread self = Thread.currentThread();
        if (!OWNER.compareAndSet(this, null, self)) {
            checkOpen();
            throw new IllegalStateException(this + " is in use by " + owner + "; one thread at a time");
        }
    }

    /** Enters unless somebody is inside, or this is closed; for the background. */
    public final boolean tryEnter() {
        Thread self = Thread.currentThread();
        return OWNER.compareAndSet(this, null, self);
    }

    /** Enters, waiting for the thread inside: for what threads share. */
    public final void enter() {
        Thread self = Thread.currentThread();
        if (!OWNER.compareAndSet(this, null, self)) {
            enterAfterWait(self);
        }
    }

    private void enterAfterWait(Thread self) {
        if (isInside()) {
            throw new IllegalStateException(this + " is called from inside its own handler");
        }
        int tries = 0;
        while (!OWNER.compareAndSet(this, null, self)) {
            checkOpen();
            if (tries++ < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Leaves; the next thread may enter. */
    public final void leave() {
        OWNER.setRelease(this, null);
    }

    /** Closes for good; waits for the thread inside. Returns false when it was closed before. */
    public final boolean enterForGood() {
        if (isInside()) {
            throw new IllegalStateException(this + " is closed from inside its own handler");
        }
        closing = true;
        while (!OWNER.compareAndSet(this, null, CLOSED)) {
            if (isClosed()) {
                return false;
            }
            nudge();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    /** Called again and again while a closer waits for the thread inside, which may sleep. */
    protected void nudge() {}

    /** Ends the park of the thread inside, if it is parked; one that has just left gets a wake that means nothing. */
    public final void unparkOwner() {
        if (owner instanceof Thread inside) {
            LockSupport.unpark(inside);
        }
    }

    /** Returns whether the calling thread is the one inside. */
    public final boolean isInside() {
        return Thread.currentThread().equals(owner);
    }

    /** Closes it for good; waits for the thread inside. */
    @Override
    public abstract void close();

    public final boolean isClosed() {
        return CLOSED.equals(owner);
    }

    /**
     * Fails when somebody waits to close this: for who goes in and out again and again. One that is woken, looks and goes
     * back to sleep, inside, was outside for too short a time for its closer to get in; that took a minute, once.
     */
    public final void checkNotClosing() {
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
