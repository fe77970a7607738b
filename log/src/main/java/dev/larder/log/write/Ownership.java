package dev.larder.log.write;

import dev.larder.memory.ClosedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to work with an appender or a reader: one thread at a time holds it, until this is closed. A thread enters by a
 * compare-and-set, and leaves by a release store. Closing waits until the thread inside has left.
 *
 * <p>Where one thread alone works, it enters by a store and a load, which cost a tenth of a compare-and-set. Other threads
 * visit, to close this or to move it when it is idle. They take the right by a compare-and-set among themselves, and bring
 * the barrier along.
 *
 * <pre>
 * the one thread            a visitor
 *   inside = true             owner = visitor
 *                             {@link ThreadBarrier}
 *   owner?  waits outside     inside?  goes away, or waits
 * </pre>
 *
 * <p>If the thread's store comes before the barrier, the visitor sees it. Else the thread's load comes after the barrier, and
 * sees the visitor.
 */
@SuppressWarnings("ReferenceEquality") // a thread equals itself alone, and an append has no time for a call
public abstract class Ownership implements AutoCloseable {

    private static final VarHandle OWNER;
    private static final VarHandle INSIDE;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Ownership.class, "owner", Object.class);
            INSIDE = MethodHandles.lookup().findVarHandle(Ownership.class, "inside", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Takes the place of the thread inside once this is closed. */
    private static final Object CLOSED = new Object();

    private static final int SPINS = 100;
    private static final long PAUSE_NANOS = 20_000;

    /** The one thread that may work with this; null where threads take turns. */
    private final @Nullable Thread confinedTo;

    private volatile boolean closing;

    /**
     * The thread inside, or the visitor if this is confined; null while there is none.
     *
     * <p>A thread that leaves by an error of the JVM stores null here by itself. After a stack overflow a call of
     * {@link #leave} may not fit on the stack either, and no thread could ever enter again.
     */
    public volatile @Nullable Object owner;

    /** Whether the one thread is inside. That thread clears it by itself, like {@link #owner}. */
    public volatile boolean inside;

    /** Creates the right for threads that take turns. */
    protected Ownership() {
        this(null);
    }

    /** Creates the right for one thread, or for threads that take turns if {@code confinedTo} is null. */
    protected Ownership(@Nullable Thread confinedTo) {
        this.confinedTo = confinedTo;
    }

    /** Enters at once, or fails: for objects that one thread at a time must use. */
    public final void enterAlone() {
        Thread self = Thread.currentThread();
        if (!OWNER.compareAndSet(this, null, self)) {
            checkOpen();
            requireOutside();
            throw new IllegalStateException(this + " is in use by " + owner + "; one thread at a time");
        }
    }

    /** Enters unless a thread is inside, or this is closed. */
    public final boolean tryEnter() {
        return take(Thread.currentThread());
    }

    /** Enters, waiting for the thread inside: for objects that threads share. */
    public final void enter() {
        Thread self = Thread.currentThread();
        if (!take(self)) {
            enterAfterWait(self);
        }
    }

    private boolean take(Thread self) {
        return confinedTo == null ? OWNER.compareAndSet(this, null, self) : takeConfined(self);
    }

    /**
     * Enters a confined object. The store is opaque, so that the compiler keeps the order of store and load; the processor
     * need not.
     */
    private boolean takeConfined(Thread self) {
        if (self == confinedTo && !inside) {
            INSIDE.setOpaque(this, true);
            if (owner == null) {
                return true;
            }
            inside = false; // no call: after a stack overflow here no thread could ever enter again
        }
        return false;
    }

    private void enterAfterWait(Thread self) {
        requireOutside();
        if (confinedTo != null && self != confinedTo) {
            throw new WrongThreadException(this + " is confined to " + confinedTo + ", and was called by " + self);
        }
        int tries = 0;
        while (!take(self)) {
            checkOpen();
            if (tries++ < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void requireOutside() {
        if (isInside()) {
            throw new IllegalStateException(this + " cannot be called from inside its own handler");
        }
    }

    /** Leaves; the next thread may enter. */
    public final void leave() {
        if (confinedTo == null) {
            OWNER.setRelease(this, null);
        } else {
            INSIDE.setRelease(this, false);
        }
    }

    /** Enters in place of the thread that works here, unless that thread or another visitor is inside, or this is closed. */
    public final boolean tryVisit() {
        Thread self = Thread.currentThread();
        if (!OWNER.compareAndSet(this, null, self)) {
            return false;
        }
        boolean alone = false;
        try {
            alone = confinedTo == null || isLeftBehindBarrier();
        } finally {
            if (!alone) {
                owner = null;
            }
        }
        return alone;
    }

    private boolean isLeftBehindBarrier() {
        ThreadBarrier.pass();
        return !inside;
    }

    /** Ends a visit. */
    public final void endVisit() {
        OWNER.setRelease(this, null);
    }

    /** Closes this for good; waits for the thread inside. Returns false if it was closed before. */
    public final boolean enterForGood() {
        if (isInside()) {
            throw new IllegalStateException(this + " cannot be closed from inside its own handler");
        }
        closing = true;
        Object closer = confinedTo == null ? CLOSED : Thread.currentThread();
        while (!OWNER.compareAndSet(this, null, closer)) {
            if (isClosed()) {
                return false;
            }
            nudge();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (confinedTo != null) {
            closeConfined();
        }
        return true;
    }

    /** Waits until the thread has left, and closes this; no thread enters meanwhile. Another closer waits for that as well. */
    private void closeConfined() {
        try {
            boolean left = isLeftBehindBarrier();
            while (!left) {
                LockSupport.parkNanos(PAUSE_NANOS);
                left = !inside;
            }
            owner = CLOSED;
        } finally {
            if (!isClosed()) {
                owner = null;
            }
        }
    }

    /** Called again and again while a closer waits for the thread inside, which may sleep. */
    protected void nudge() {}

    /** Unparks the thread inside, if it is parked. A thread that has just left gets a wake that means nothing. */
    public final void unparkOwner() {
        if (owner instanceof Thread inside) {
            LockSupport.unpark(inside);
        }
    }

    /** Returns whether the calling thread is the one inside. */
    public final boolean isInside() {
        return Thread.currentThread().equals(inside ? confinedTo : owner);
    }

    /** Returns whether a thread is inside, or this is closed. */
    public final boolean isTaken() {
        return owner != null || inside;
    }

    /** Closes this for good; waits for the thread inside. */
    @Override
    public abstract void close();

    public final boolean isClosed() {
        return CLOSED.equals(owner);
    }

    /**
     * Fails if another thread waits to close this: for a thread that goes in and out again and again. A thread that was
     * woken, looked and went back to sleep, inside, was outside for too short a time for its closer to get in. That took a
     * minute, once.
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
