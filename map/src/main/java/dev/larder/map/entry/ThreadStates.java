package dev.larder.map.entry;

import dev.larder.log.layer.OpenClaim;
import dev.larder.map.NoRoomYetException;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The desks ({@link ThreadState}) of the threads that work on a map, and the pins of those that change it. */
public final class ThreadStates<K, V> {

    private final MapParts parts;
    private final String what;
    private final Maker<K, V> maker;
    private final ThreadLocal<@Nullable ThreadState<K, V>> own = ThreadLocal.withInitial(() -> null);
    private volatile boolean closed;

    /** Makes a desk: a thread's own one if given null, or one more beside that. */
    @FunctionalInterface
    public interface Maker<K, V> {
        ThreadState<K, V> make(@Nullable ThreadState<K, V> own);
    }

    /**
     * Creates the desks.
     *
     * @param what the object that the threads work on, for errors
     */
    public ThreadStates(MapParts parts, String what, Maker<K, V> maker) {
        this.parts = parts;
        this.what = what;
        this.maker = maker;
    }

    /** Refuses further threads; returns whether threads were admitted until now. */
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
     * Returns the exception for memory that could not be accessed: it was given back, or the system could not serve it.
     *
     * @param position the position of the record that was read; -1 if none was found
     */
    RuntimeException explain(Throwable met, long position) {
        if (met instanceof InternalError error) {
            return parts.records().readFailed(error, position);
        }
        return closed ? closed(met) : (RuntimeException) met;
    }

    /** Returns the same for a lookup, which may not have found a record yet: then the record is looked for. */
    RuntimeException explain(Throwable met, Lookup found) {
        boolean unknown = met instanceof InternalError && found.position == Lookup.NO_RECORD && !closed;
        return unknown ? parts.index().readFailed(found, (InternalError) met) : explain(met, found.position);
    }

    /** Returns a desk that belongs to no thread. */
    public ThreadState<K, V> make() {
        return maker.make(null);
    }

    /** Returns this thread's desk; another one if it is in use, because a codec or a function of the user called the map. */
    ThreadState<K, V> enter() {
        checkOpen();
        ThreadState<K, V> desk = free();
        if (desk.own == desk) {
            desk.pinned = 0; // no call of this thread is under way: an error of the JVM may have left something behind
            desk.changes = false;
            desk.line = ThreadState.NO_LINE;
            while (desk.innermost != null && !desk.innermost.notes) {
                desk.innermost = desk.innermost.outer; // functions of the user may be running, but no change
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

    /** Returns this thread's desk, also when the map is closed; another one if it is in use. */
    ThreadState<K, V> free() {
        ThreadState<K, V> desk = own();
        return desk.probe.busy ? maker.make(desk) : desk;
    }

    /** Returns whether this thread is in the middle of a change, and a codec or a function of the user has called the map. */
    public boolean isChanging() {
        ThreadState<K, V> desk = own.get(); // makes no desk for a thread that asks as it closes the map
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

    /**
     * Returns whether a claim is open. One left by an error of the JVM does not count: the thread that waits for it settles it.
     */
    private static boolean isOpen(OpenClaim claim) {
        long position = claim.position();
        return position != OpenClaim.NONE && !claim.isLeft(position);
    }

    /**
     * Returns this thread's desk, pinned: no record that it finds goes before it leaves. Waits for space first, unless the
     * thread is already pinned. In that case a codec of the user has called the map in the middle of a change, and the cleaner
     * would wait for that change.
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

    /** Runs changes of this thread that may not wait. */
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
     * Notes a key for which a function of the user runs, until the caller removes the note. A change of the key by this thread
     * finds the note among the desks that are outer to its own.
     */
    ThreadState<K, V> noteKey(K key) {
        ThreadState<K, V> first = own();
        ThreadState<K, V> noted = first.computing;
        if (noted == null || noted.changing != null) {
            noted = new ThreadState<>(first);
            first.computing = noted;
        }
        layOut(key, noted.probe);
        noted.changing = noted.probe;
        noted.outer = first.innermost;
        first.innermost = noted;
        return noted;
    }

    /** Lays a key out by a desk that is not in use: a codec of the user may have called the map in the middle of a key. */
    private void layOut(K key, Lookup into) {
        ThreadState<K, V> desk = enter();
        try {
            desk.key(key, into, parts.seed());
        } finally {
            desk.probe.busy = false; // a store: the call might not fit on the stack
        }
    }

    /**
     * Pins this thread while it reads records in place, until the caller unpins the line of the returned desk. The caller first
     * resets {@link ThreadState#readLine}, by a store of its own: a call might not fit on the stack.
     *
     * @return the desk to unpin; null if the thread is already pinned, as a handler has called the map. The outer pin covers
     *     what it reads
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

    /** Pins the thread at a desk. If it is already pinned, that pin outlasts its stay at this desk. */
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

    /** Notes a record that the thread of a pinned desk has linked. It is acknowledged when the thread has left all its desks. */
    void linked(ThreadState<K, V> desk, long position) {
        desk.own.unacknowledged = Math.max(desk.own.unacknowledged, position);
    }

    /**
     * Leaves a desk, which then holds nothing. The records that the thread has linked are acknowledged when it leaves its last
     * desk. Before that, a sync would wait for a record that this thread has yet to write.
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
     * Makes room for a change that found the disk full, and that the caller then tries again. Its desk is unpinned meanwhile.
     *
     * @param tries how often the change was tried
     * @param removal whether the change removes an entry
     * @throws DiskFullException the given one, if no space can be gained
     * @throws NoRoomYetException if the thread may not wait
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
