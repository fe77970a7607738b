package dev.larder.log;

/**
 * The process slots: a place in the control file and a byte in the lock file for each process that has the log open.
 * A registrant holds its LIVE byte and raises the slot's generation; word and file names carry both.
 */
final class Slots {

    private Slots() {}

    /** Returns what a RESERVED word carries of its writer: slot 16 bits, the low 16 bits of its generation. */
    static int owner(int slot, long generation) {
        return (slot << 16) | (int) (generation & 0xFFFF);
    }

    /** Returns whether a process other than this one has the log open. Under GATE, before {@link #take}. */
    static boolean anyAlive(ControlFile control, LockFile locks) {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT && control.generationAcquire(slot) != 0; slot++) {
            if (!locks.tryLock(LockFile.live(slot))) {
                return true;
            }
            locks.unlock(LockFile.live(slot));
        }
        return false;
    }

    /** Takes the lowest free slot. Under GATE. */
    static int take(ControlFile control, LockFile locks) {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT; slot++) {
            if (locks.tryLock(LockFile.live(slot))) {
                control.generationRelease(slot, nextGeneration(control.generationAcquire(slot)));
                control.pinVolatile(slot, 0);
                return slot;
            }
        }
        throw new LogBusyException(
                control.path() + ": all " + ControlLayout.SLOT_COUNT + " process slots are taken by live processes");
    }

    /** The low 16 bits are never 0, so that an owner is never 0. */
    private static long nextGeneration(long generation) {
        long next = generation + 1;
        return (next & 0xFFFF) == 0 ? next + 1 : next;
    }
}
