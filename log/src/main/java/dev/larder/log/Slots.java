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

    /** Takes the lowest free slot, and raises its generation, at the most to {@link #isBetweenLaps}. Under GATE. */
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

    /** Who finds a slot between two laps stays there: it was left by a process that died before it had begun the next. */
    private static long nextGeneration(long generation) {
        return isBetweenLaps(generation) ? generation : generation + 1;
    }

    /**
     * Returns whether a generation has come to the end of what the 16 bits in a word can tell apart. They would begin
     * again at 1, and a dead writer's claim of the lap before could pass for that of a live one. No word ever carries the 0
     * that stands between: whoever holds the slot then settles its old claims ({@link FormerClaims}), and goes on.
     */
    static boolean isBetweenLaps(long generation) {
        return generation != 0 && (generation & 0xFFFF) == 0;
    }
}
