package dev.larder.log.shared;

import dev.larder.log.LogBusyException;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.Failpoints;

/**
 * The process slots: a place in the control file and a byte in the lock file for each process that has the log open. A
 * process that registers raises the slot's generation and holds its LIVE byte. Record words and file names carry slot and
 * generation.
 */
public final class Slots {

    private Slots() {}

    /** Returns the owner that a RESERVED word carries: 16 bits of the slot, and the low 16 bits of its generation. */
    public static int owner(int slot, long generation) {
        return (slot << 16) | (int) (generation & 0xFFFF);
    }

    /**
     * Returns whether a process has the log open, other than the one in a slot; -1 leaves out none. Under GATE.
     *
     * <p>A recoverer that shares the byte of a dead process is not seen by that byte. It need not be: it has a slot and a
     * LIVE byte of its own. So the answer never calls a dead process alive, nor a live one dead, wherever a recoverer stands.
     */
    public static boolean anyAlive(ControlFile control, LockFile locks, int except) {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT; slot++) {
            if (slot != except && control.generationAcquire(slot) == 0) {
                return false;
            }
            if (slot != except && locks.isHeld(LockFile.live(slot))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes the lowest free slot. Leaves out a slot whose dead owner is just being judged: the recoverer may be stopped.
     * Under GATE, so it does not wait if no slot is free: processes that leave need the gate.
     *
     * <p>The generation is raised first, at the most to {@link #isBetweenLaps}. Otherwise a newcomer could be stopped between
     * taking the byte and raising the generation. It would then lend its life to the dead owner's claims.
     *
     * @param settles whether the newcomer may settle the claims of a slot's dead owners, and so begin a lap. If not, it
     *     leaves out slots that are at the end of one
     */
    public static int take(ControlFile control, LockFile locks, boolean settles, Failpoints steps) {
        for (int slot = 0; slot < ControlLayout.SLOT_COUNT; slot++) {
            boolean fits = settles || !isBetweenLaps(nextGeneration(control.generationAcquire(slot)));
            if (fits && raiseGeneration(control, locks, slot)) {
                steps.reached("register.raised");
                if (locks.tryLock(LockFile.live(slot))) {
                    control.pinVolatile(slot, 0);
                    return slot;
                }
            }
        }
        throw new LogBusyException(
                control.path() + ": all " + ControlLayout.SLOT_COUNT + " process slots are taken by live processes");
    }

    /**
     * Raises the generation of a slot that no live process holds; returns false if one does. Shares the LIVE byte meanwhile,
     * so that no process comes to live there, whichever process judges a former owner.
     */
    private static boolean raiseGeneration(ControlFile control, LockFile locks, int slot) {
        if (!locks.tryLockShared(LockFile.live(slot))) {
            return false;
        }
        control.generationRelease(slot, nextGeneration(control.generationAcquire(slot)));
        locks.unlock(LockFile.live(slot));
        return true;
    }

    /**
     * Returns the next generation. A slot between two laps stays there: its last process died before it had begun the next
     * lap.
     */
    private static long nextGeneration(long generation) {
        return isBetweenLaps(generation) ? generation : generation + 1;
    }

    /**
     * Returns whether a generation has come to the end of the numbers that the 16 bits in a word can tell apart. They would
     * begin again at 1, and a dead writer's claim of the lap before could pass for a live writer's. No word ever carries the
     * 0 between two laps. The process that holds the slot then settles its old claims ({@code FormerClaims}), and continues.
     */
    public static boolean isBetweenLaps(long generation) {
        return generation != 0 && (generation & 0xFFFF) == 0;
    }
}
