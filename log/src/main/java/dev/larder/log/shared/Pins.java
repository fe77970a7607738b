package dev.larder.log.shared;

import dev.larder.log.format.ControlLayout;
import java.util.Map;
import java.util.TreeMap;

/**
 * The process's pin, in the process's slot: the lowest segment number that any of its threads may touch. Files with a number
 * at or above a live pin are never recycled.
 *
 * <p>Each appender and reader has a {@link Lane}; the pin is the lowest of them. The word holds number + 1, and 0 for no pin.
 * Setting or lowering it is a store before a load of {@code first}. The dropper's compare-and-set of {@code first} comes
 * before its load of the pins. Both are sequentially consistent, so one of the two sees the other.
 */
public final class Pins {

    /** A place in the log where one thread at a time works. */
    public static final class Lane {
        private int segment = NONE;

        public int segment() {
            return segment;
        }
    }

    public static final int NONE = Integer.MAX_VALUE;

    private final ControlFile control;
    private final int slot;

    /** The number of lanes in each segment. */
    private final TreeMap<Integer, Integer> lanes = new TreeMap<>();

    private int lowest = NONE;

    public Pins(ControlFile control, int slot) {
        this.control = control;
        this.slot = slot;
    }

    /**
     * Moves a lane to a segment. The caller checks {@code first} after this, and again after it has opened the file.
     *
     * @throws IllegalArgumentException for a negative number: the word of -1 means no pin, for the whole process
     */
    public synchronized void move(Lane lane, int segment) {
        if (segment < 0) {
            throw new IllegalArgumentException(
                    control.path() + ": segment " + segment + " cannot be pinned; segments are numbered from 0 on");
        }
        if (lane.segment != segment) {
            count(segment, 1); // before the old segment is counted down: an error between the two leaves a pin too many
            int left = lane.segment;
            lane.segment = segment;
            count(left, -1);
        }
        publish();
    }

    private void count(int segment, int change) {
        if (segment != NONE) {
            int now = lanes.getOrDefault(segment, 0) + change;
            if (now == 0) {
                lanes.remove(segment);
            } else {
                lanes.put(segment, now);
            }
        }
    }

    public void leave(Lane lane) {
        move(lane, NONE);
    }

    /**
     * SYNC POINT: pin. Returns whether a process that may be alive may touch a segment, after {@code first} has passed it. A
     * slot that was never used ends the search: a process that takes it later sees {@code first}.
     */
    public static boolean cover(ControlFile control, LockFile locks, int ownSlot, int number) {
        return covers(control, ownSlot, number) || coverOfOthers(control, locks, ownSlot, number);
    }

    /** Returns the same for all processes but this one. */
    public static boolean coverOfOthers(ControlFile control, LockFile locks, int ownSlot, int number) {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT && control.generationAcquire(slot) != 0; slot++) {
            if (slot != ownSlot && covers(control, slot, number) && locks.isHeld(LockFile.live(slot))) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(ControlFile control, int slot, int number) {
        long pin = control.pinVolatile(slot);
        return pin != 0 && pin - 1 <= number;
    }

    private void publish() {
        if (slot < 0) {
            return; // a read-only opening has no slot
        }
        Map.Entry<Integer, Integer> first = lanes.firstEntry();
        int now = first == null ? NONE : first.getKey();
        if (now < lowest) {
            control.pinVolatile(slot, now + 1L);
        } else if (now > lowest) {
            control.pinRelease(slot, now == NONE ? 0 : now + 1L);
        }
        lowest = now;
    }
}
