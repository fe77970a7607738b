package dev.larder.map.entry;

import dev.larder.log.layer.OpenClaim;
import dev.larder.map.NoRoomYetException;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The desks of the threads that are at work on a map, and who of them may change it. */
public final class ThreadStates<K, V> {

    private final MapParts parts;
    private final String what;
    private final Maker<K, V> maker;
    private final ThreadLocal<@Nullable ThreadState<K, V>> own = ThreadLocal.withInitial(() -> null);
    private volatile boolean closed;

    /** Makes a desk: a thread's own one, by null, or one more beside that. */
    @FunctionalInterface
    public interface Maker<K, V> {
        ThreadState<K, V> make(@Nullable ThreadState<K, V> own);
    }

    /**
     * Desks.
     *
     * @param what is worked on, for errors
     */
    public ThreadStates(MapParts parts, String what, Maker<K, V> maker) {
        this.parts = parts;
        this.what = what;
        this.maker = maker;
    }

    /** Lets nobody sit down any more; returns whether anybody could before. */
    public synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    boolean areClosed() {
        return closed;
    }

    public void checkOpen() {
        if (closed) {
            throw closed(null);
        }
    }

    private ClosedException closed(@Nullable Throwable cause) {
        String text = parts.directory() + ": the " + what + " was closed";
        return cause == null ? new ClosedException(text) : new ClosedException(text, cause);
    }

    /**
     * Returns what it means that memory could not be accessed: it was given back, or the system could not serve it.
     *
     * @param position where the record is that was read; -1 where none was found
     */
    RuntimeException explain(Throwable met, long position) {
        if (met instanceof InternalError error) {
            return parts.records().readFailed(error, position);
        }
        return closed ? closed(met) : (RuntimeException) met;
    }

    /** Returns a desk that is no thread's. */
    public ThreadState<K, V> make() {
        return maker.make(null);
    }

    /** Returns this thread's desk; another one when it is in use: a codec or a function of the user's came back here. */
    ThreadState<K, V> enter() {
        checkOpen();
        ThreadState<K, V> desk = free();
        if (desk.own == desk) {
            desk.pinned = 0; // nobody of this thread is at work: an error of the JVM may have left something behind
            desk.changes = false;
            desk.line = ThreadState.NO_LINE;
            while (desk.innermost != null && !desk.innermost.notes) {
                desk.innermost = desk.innermost.outer; // functions of the user's may be running, and no change is
            }
        }
        desk.probe.busy = true;
        return desk;
    }

    private ThreadState<K, V> own() {
        ThreadState<K, V> desk = own.get();
        if (desk == null) {
            desk = make();
            own.set(desk);
        }
        return desk;
    }

    /** Returns this thread's desk for what comes at its end anyway; another one when it is in use. */
    ThreadState<K, V> free() {
        ThreadState<K, V> desk = own();
        return desk.probe.busy ? maker.make(desk) : desk;
    }

    /** Returns whether this thread is in the midst of a change, and a codec or a function of the user's came back here. */
    public boolean isChanging() {
        ThreadState<K, V> desk = own.get(); // none is made for who asks as he closes the map
        return desk != null && desk.pinned > 0;
    }

    /**
     * Returns whether this thread is writing a record, and a codec or function of the user has called the map meanwhile. A call
     * that waits for all records being written would then wait for itself.
     */
    public boolean areWriting() {
        ThreadState<K, V> desk = isChanging() ? own().innermost : null;
        while (desk != null && !isOpen(desk.probe.claim) && !(desk.changing != null && isOpen(desk.changing.claim))) {
            desk = desk.outer;
        }
        return desk != null;
    }

    /** An error of the JVM may have left one behind, which whoever waits for it settles. */
    private static boolean isOpen(OpenClaim claim) {
        long position = claim.position();
        return position != OpenClaim.NONE && !claim.isLeft(position);
    }

    /**
     * Returns this thread's desk, pinned: nothing that it finds goes before it leaves. Waits first until there is space,
     * unless the thread is pinned already: a codec of the user's came back here, in the midst of a change, and whoever makes
     * space would wait for that.
     */
    ThreadState<K, V> enterToChange(boolean removal) {
        ThreadState<K, V> desk = enter();
        try {
            if (desk.own.pinned == 0) {
                parts.room().await(removal, desk.own);
            }
            pin(desk);
            return desk;
        } catch (RuntimeException | Error e) {
            desk.probe.busy = false; // a store: the call might not fit on the stack
            leave(desk);
            throw e;
        }
    }

    /** Runs changes of this thread, which may not wait meanwhile. */
    public <T extends @Nullable Object> T withoutWaiting(Supplier<T> changes) {
        ThreadState<K, V> first = own();
        boolean before = first.impatient;
        first.impatient = true;
        try {
            return changes.get();
        } finally {
            first.impatient = before;
        }
    }

    /**
     * Notes a key for which a function of the user's runs, until the caller takes it out again. A change of the key by this
     * thread finds the note among the desks that are outer to its own.
     */
    ThreadState<K, V> noteKey(K key) {
        ThreadState<K, V> first = own();
        ThreadState<K, V> noted = first.computing;
        if (noted == null || noted.changing != null) {
            noted = new ThreadState<>(first);
            first.computing = noted;
        }
        noted.key(key, parts.seed());
        noted.changing = noted.probe;
        noted.outer = first.innermost;
        first.innermost = noted;
        return noted;
    }

    /**
     * Pins this thread, as it looks at records where they lie, until its line is unpinned by the desk that this returns. Whoever
     * does that sets {@link ThreadState#readLine} back first, by a store of its own: a call might not fit on the stack.
     *
     * @return what to unpin; null where the thread is pinned already: a handler came back here, and the outer pin covers
     *     what it looks at
     */
    @Nullable
    ThreadState<K, V> pinToRead() {
        checkOpen();
        ThreadState<K, V> desk = own();
        if (desk.readLine != ThreadState.NO_LINE) {
            return null;
        }
        try {
            desk.readLine = parts.reads().pinAnyway();
            return desk;
        } catch (IllegalStateException e) {
            throw explain(e, -1);
        }
    }

    /** A thread that is pinned already stays so for longer than it will be at this desk. */
    private void pin(ThreadState<K, V> desk) {
        if (desk.own.pinned == 0) {
            int line = parts.changes().pin();
            if (line == ThreadState.NO_LINE) {
                throw closed(null);
            }
            desk.line = line;
        }
        desk.own.pinned++;
        desk.changes = true;
        desk.changing = null;
        desk.outer = desk.own.innermost;
        desk.own.innermost = desk;
    }

    private void unpin(ThreadState<K, V> desk) {
        if (desk.changes) {
            desk.changes = false;
            desk.own.pinned--;
            desk.own.innermost = desk.outer;
            desk.outer = null;
        }
        if (desk.line != ThreadState.NO_LINE) {
            int line = desk.line;
            desk.line = ThreadState.NO_LINE;
            parts.changes().unpin(line);
        }
    }

    /** Takes note of a record that was linked by who is pinned by a desk: it is acknowledged when its thread is at none. */
    void linked(ThreadState<K, V> desk, long position) {
        desk.own.unacknowledged = Math.max(desk.own.unacknowledged, position);
    }

    /**
     * Leaves a desk, which holds nothing then. What the thread has linked is acknowledged when it leaves the last one: before,
     * a sync would wait for what this thread is still about to write.
     */
    void leave(ThreadState<K, V> desk) {
        unpin(desk);
        desk.leave();
        ThreadState<K, V> first = desk.own;
        if (first.pinned == 0 && first.unacknowledged != ThreadState.NO_RECORD) {
            long last = first.unacknowledged;
            first.unacknowledged = ThreadState.NO_RECORD;
            parts.records().acknowledge(last);
        }
    }

    /**
     * Makes room for a change that has found the disk full, and is to be tried again then; its desk lets go meanwhile.
     *
     * @param tries how often it has been tried
     * @param removal whether it removes
     * @throws DiskFullException that one, where there is nothing to gain
     * @throws NoRoomYetException where the thread may not wait
     */
    void makeRoom(ThreadState<K, V> desk, DiskFullException met, int tries, boolean removal) {
        if (desk.own.pinned > 1 || met instanceof IndexFullException) {
            throw met;
        }
        if (desk.own.impatient) {
            throw parts.room().noRoomYet(met);
        }
        unpin(desk);
        parts.room().makeRoom(met, tries, removal);
        pin(desk);
    }
}
