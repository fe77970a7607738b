package dev.larder.memory.portable;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * The bytes that one file object has locked, and how.
 *
 * <p>The system takes a file object, or the whole process, for one holder: asked again, it would grant a byte once more,
 * turn one kind of lock into the other, and free for all what several threads share. So it is asked for the first of
 * them alone, and told when the last one is done.
 */
public final class ByteLocks {

    /** Asks the system for a byte: for this file object alone, or together with others who share it. */
    @FunctionalInterface
    public interface Obtain {
        boolean obtain(long offset, boolean shared);
    }

    private static final int ALONE = -1;

    private final Obtain system;
    private final LongConsumer free;
    private final Map<Long, Integer> held = new HashMap<>(); // ALONE, or how many share the byte

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
     * Returns whether a byte is held alone, by this file object or by another. The system is asked about others only: it
     * does not tell a file object of its own locks.
     */
    public synchronized boolean isHeldAlone(long offset, LongPredicate heldByOthers) {
        Integer sharers = held.get(offset);
        return sharers == null ? heldByOthers.test(offset) : sharers == ALONE;
    }

    /** Undoes one {@link #lock} or {@link #share}; does nothing where nobody holds the byte. */
    public synchronized void unlock(long offset) {
        int sharers = held.getOrDefault(offset, 0);
        if (sharers > 1) {
            held.put(offset, sharers - 1);
        } else if (sharers != 0) {
            free.accept(offset);
            held.remove(offset);
        }
    }

    /** Forgets everything: the file was closed, and the system has freed it all. */
    public synchronized void forget() {
        held.clear();
    }
}
