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
        boolean obtained = !held.containsKey(offset) && system.obtain(offset, false);
        if (obtained) {
            held.put(offset, ALONE);
        }
        return obtained;
    }

    public synchronized boolean share(long offset) {
        int sharers = held.getOrDefault(offset, 0);
        boolean obtained = sharers > 0 || (sharers != ALONE && system.obtain(offset, true));
        if (obtained) {
            held.put(offset, sharers + 1);
        }
        return obtained;
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
