package dev.larder.log.shared;

import dev.larder.log.LogBusyException;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.Failpoints;

/**
 * The process slots: a place in the control file and a byte in the lock file for each process that has the log open.
 * A registrant raises the slot's generation and holds its LIVE byte; word and file names carry slot and generation.
 */
public final class Slots {

    private Slots() {}

    /** Returns what a RESERVED word carries of its writer: slot 16 bits, the low 16 bits of its generation. */
    public static int owner(int slot, long generation) {
        return (slot << 16) | (int) (generation & 0xFFFF);
    }

    /**
     * Returns whether a process other than that in a slot, or than any if that is -1, has the log open. Under GATE.
     *
     * <p>A recoverer that shares the byte of a dead process is not seen by that, and need not be: it has a slot, and a
     * LIVE byte, of its own. So the answer neither calls the dead alive nor the living dead, wherever a recoverer stands.
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
     * Takes the lowest free slot, leaving out one whose dead owner is just being judged: the recoverer may be stopped.
     * Under GATE, so it does not wait where no slot is free: those who leave need the gate.
     *
     * <p>The generation is raised first, at the most to {@link #isBetweenLaps}: between a byte that is taken and a
     * generation that is not raised yet, a newcomer that is stopped would lend its life to the dead owner's claims.
     *
     * @param settles whether the newcomer may settle the claims of a slot's dead owners, and so begin a lap; if not, it leaves out
     *     slots that are at the end of one
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
     * Raises the generation of a slot in which nobody lives; returns false where somebody does. Shares the LIVE byte
     * meanwhile, so that nobody comes to live there, whoever judges a former owner.
     */
    private static boolean raiseGeneration(ControlFile control, LockFile locks, int slot) {
        if (!locks.tryLockShared(LockFile.live(slot))) {
            return false;
        }
        control.generationRelease(slot, nextGeneration(control.generationAcquire(slot)));
        locks.unlock(LockFile.live(slot));
        return true;
    }

    /** Who finds a slot between two laps stays there: it was left by a process that died before it had begun the next. */
    private static long nextGeneration(long generation) {
        return isBetweenLaps(generation) ? generation : generation + 1;
    }

    /**
     * Returns whether a generation has come to the end of what the 16 bits in a word can tell apart. They would begin
     * again at 1, and a dead writer's claim of the lap before could pass for that of a live one. No word ever carries the 0
     * that stands between: whoever holds the slot then settles its old claims ({@code FormerClaims}), and goes on.
     */
    public static boolean isBetweenLaps(long generation) {
        return generation != 0 && (generation & 0xFFFF) == 0;
    }
}
