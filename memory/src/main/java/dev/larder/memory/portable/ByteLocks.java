package dev.larder.memory.portable;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * The bytes that one file object has locked, alone or shared.
 *
 * <p>To the system, a file object or the whole process is one holder. A second request would be granted again, or would turn
 * one kind of lock into the other. One unlock would free a byte that several threads share. So only the first holder's lock
 * reaches the system, and only the last holder's unlock.
 */
public final class ByteLocks {

    /** Requests a byte from the system, for this file object alone or shared with others. */
    @FunctionalInterface
    public interface Obtain {
        boolean obtain(long offset, boolean shared);
    }

    private static final int ALONE = -1;

    private final Obtain system;
    private final LongConsumer free;
    private final Map<Long, Integer> held = new HashMap<>(); // ALONE, or the number of sharers

    public ByteLocks(Obtain system, LongConsumer free) {
        this.system = system;
        this.free = free;
    }

    public synchronized boolean lock(long offset) {
        return held.putIfAbsent(offset, ALONE) == null && obtainNoted(offset, false);
    }

    public synchronized boolean share(long offset) {
        Integer sharers = held.putIfAbsent(offset, 1);
        if (sharers == null) {
            return obtainNoted(offset, true);
        }
        if (sharers == ALONE) {
            return false;
        }
        held.put(offset, sharers + 1);
        return true;
    }

    /** Obtains a byte that was noted before: a note behind the system's lock may find no memory, and the byte stays locked. */
    private boolean obtainNoted(long offset, boolean shared) {
        boolean obtained = false;
        try {
            obtained = system.obtain(offset, shared);
            return obtained;
        } finally {
            if (!obtained) {
                held.remove(offset);
            }
        }
    }

    /**
     * Returns whether a byte is held alone, by this file object or by another. The system answers for other file objects only:
     * it does not report a file object's own locks.
     */
    public synchronized boolean isHeldAlone(long offset, LongPredicate heldByOthers) {
        Integer sharers = held.get(offset);
        return sharers == null ? heldByOthers.test(offset) : sharers == ALONE;
    }

    /**
     * Undoes one {@link #lock} or {@link #share}. Does nothing if the byte is not held. If it throws, the system may keep the
     * lock, until the next holder frees it: it grants a byte again to the same file object.
     */
    public synchronized void unlock(long offset) {
        int sharers = held.getOrDefault(offset, 0);
        if (sharers > 1) {
            held.put(offset, sharers - 1);
        } else if (sharers != 0) {
            held.remove(offset);
            free.accept(offset);
        }
    }

    /** Forgets all locks, because the file was closed and the system has freed them. */
    public synchronized void forget() {
        held.clear();
    }
}
