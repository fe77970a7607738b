package dev.larder.map;

import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The desks of the threads that are at work on a map, and who of them may change it. */
final class Desks<K, V> {

    private final MapParts parts;
    private final String what;
    private final Supplier<Desk<K, V>> made;
    private final ThreadLocal<Desk<K, V>> own;
    private volatile boolean closed;

    /**
     * Desks.
     *
     * @param what is worked on, for errors
     */
    Desks(MapParts parts, String what, Supplier<Desk<K, V>> made) {
        this.parts = parts;
        this.what = what;
        this.made = made;
        this.own = ThreadLocal.withInitial(made);
    }

    /** Lets nobody sit down any more; returns whether anybody could before. */
    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    boolean areClosed() {
        return closed;
    }

    void checkOpen() {
        if (closed) {
            throw closed(null);
        }
    }

    private ClosedException closed(@Nullable Throwable cause) {
        String text = parts.directory() + ": the " + what + " was closed";
        return cause == null ? new ClosedException(text) : new ClosedException(text, cause);
    }

    /** Returns what it means that memory could not be accessed: it was given back, or the system could not serve it. */
    RuntimeException explain(Throwable met) {
        if (met instanceof InternalError error) {
            return parts.records().accessFailed(error);
        }
        return closed ? closed(met) : (RuntimeException) met;
    }

    /** Returns a desk that is no thread's. */
    Desk<K, V> make() {
        return made.get();
    }

    /** Returns this thread's desk; another one when it is in use: a codec or a function of the user's came back here. */
    Desk<K, V> enter() {
        checkOpen();
        Desk<K, V> desk = free();
        desk.probe.busy = true;
        return desk;
    }

    /** Returns this thread's desk for what comes at its end anyway; another one when it is in use. */
    Desk<K, V> free() {
        Desk<K, V> desk = own.get();
        return desk.probe.busy ? made.get() : desk;
    }

    /** Returns whether this thread is in the midst of a change, and a codec or a function of the user's came back here. */
    boolean isChanging() {
        return own.get().line != Desk.NO_LINE;
    }

    /**
     * Returns this thread's desk, pinned: nothing that it finds goes before it leaves. Waits first until there is space,
     * unless the thread is pinned already: a codec of the user's came back here, in the midst of a change, and whoever makes
     * space would wait for that.
     */
    Desk<K, V> enterToChange(boolean removal) {
        Desk<K, V> desk = enter();
        try {
            if (!isNested(desk)) {
                parts.space().await(removal);
            }
            pin(desk);
            return desk;
        } catch (RuntimeException | Error e) {
            leave(desk);
            throw e;
        }
    }

    private boolean isNested(Desk<K, V> desk) {
        Desk<K, V> first = own.get();
        return desk != first && first.line != Desk.NO_LINE;
    }

    private void pin(Desk<K, V> desk) {
        desk.line = parts.changes().pin();
        if (desk.line == Desk.NO_LINE) {
            throw closed(null);
        }
    }

    private void unpin(Desk<K, V> desk) {
        if (desk.line != Desk.NO_LINE) {
            parts.changes().unpin(desk.line);
            desk.line = Desk.NO_LINE;
        }
    }

    /** Leaves a desk, which holds nothing then. */
    void leave(Desk<K, V> desk) {
        unpin(desk);
        desk.leave();
    }

    /**
     * Makes room for a change that has found the disk full, and is to be tried again then; its desk lets go meanwhile.
     *
     * @param tries how often it has been tried
     * @throws DiskFullException that one, where there is nothing to gain
     */
    void makeRoom(Desk<K, V> desk, DiskFullException met, int tries) {
        if (isNested(desk) || met instanceof IndexFullException) {
            throw met;
        }
        unpin(desk);
        parts.space().makeRoom(met, tries);
        pin(desk);
    }
}
