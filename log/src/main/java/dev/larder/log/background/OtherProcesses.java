package dev.larder.log.background;

import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.Member;
import dev.larder.log.shared.Slots;

/**
 * Whether other processes may have appended something since this one last looked. They have not where none has registered
 * since a look that found none alive.
 */
final class OtherProcesses {

    /** What no number of registrations is. */
    private static final long UNKNOWN = -1;

    private final ControlFile control;
    private final Member member;

    /** How often others had registered when none was alive, and nothing of theirs was left to be synced. */
    private long finished = UNKNOWN;

    OtherProcesses(ControlFile control, Member member) {
        this.control = control;
        this.member = member;
    }

    /** Returns whether another process may have appended since {@link #finish}. Costs some loads. */
    boolean mayHaveAppended() {
        return Slots.registrations(control, member.slot()) != finished;
    }

    /**
     * Returns how often others had registered, if none of them lives; else a number that {@link #finish} makes nothing of.
     *
     * <p>A newcomer raises its generation, and lives a little later. It holds GATE meanwhile. So GATE is looked at in between.
     */
    long registrationsOfTheDead() {
        long registrations = Slots.registrations(control, member.slot());
        LockFile locks = member.locks();
        boolean unsure = locks.isHeld(LockFile.GATE) || Slots.anyAlive(control, locks, member.slot());
        return unsure ? UNKNOWN : registrations;
    }

    /** Takes note that all is synced which was left by so many, as {@link #registrationsOfTheDead} has told. */
    void finish(long registrations) {
        finished = registrations;
    }
}
