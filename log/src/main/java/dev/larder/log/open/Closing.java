package dev.larder.log.open;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.SyncPolicy;
import dev.larder.log.context.LogSession;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.log.shared.ControlFile.Ending;
import dev.larder.log.shared.ControlFile.State;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.MemoryIdentity;
import dev.larder.log.shared.Slots;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemLimitException;

/**
 * The closing of a log: a last sync and, by the last process, a durable note that all is well. With that note the next opening
 * need not recover. Nothing is written to a log that has failed; the close throws that error once more. A thread that is
 * interrupted, before or meanwhile, closes all the same, and stays interrupted.
 */
final class Closing {

    private static final long GATE_WAIT_NANOS = 30_000_000_000L;

    private final LogSession session;
    private final LogSession.Writing writing;
    private boolean interrupted;
    private boolean synced;

    Closing(LogSession session, LogSession.Writing writing) {
        this.session = session;
        this.writing = writing;
    }

    void close() {
        interrupted = Thread.interrupted();
        ClosingSteps steps = new ClosingSteps();
        steps.take("sync", this::sync);
        steps.take("leave", this::leave);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        steps.end();
    }

    private void sync() {
        session.failure.check();
        session.checkPresent();
        long end = session.endPosition();
        if (mustSync()) {
            insist(() -> writing.syncer().sync(end));
            if (session.bookmarks.exist()) {
                insist(() -> writing.syncer().syncAlone(session.bookmarks));
            }
        }
        synced = true;
    }

    /** Returns whether the policy requires a sync, or the next opening would take unsynced records for lost. */
    private boolean mustSync() {
        return session.options.durability().sync().kind() != SyncPolicy.Kind.NONE
                || !MemoryIdentity.of(session.storage, session.directory).isKnown();
    }

    /**
     * Signs the log as closed where no other process lives, and frees LIVE before GATE. Otherwise a process that opens the log
     * in between would see this one alive, and append to a log that is signed as closed. If LIVE was freed after GATE, two
     * processes that close would each see the other alive, and neither would sign.
     */
    private void leave() {
        LockFile locks = writing.locks();
        ClosingSteps steps = new ClosingSteps();
        steps.take("gate", () -> insist(() -> locks.lock(LockFile.GATE, "the open-close lock", GATE_WAIT_NANOS)));
        // without the gate the log is left as by a process that died, for which other processes are always prepared
        boolean gate = steps.isWell();
        if (gate && synced) {
            steps.take("sign", this::signIfLast);
        }
        steps.take("live", () -> locks.unlock(LockFile.live(writing.slot())));
        if (gate) {
            steps.take("gate", () -> locks.unlock(LockFile.GATE));
        }
        steps.end();
    }

    private void signIfLast() {
        try {
            if (!Slots.anyAlive(session.control, writing.locks(), writing.slot())) {
                sign();
            }
        } catch (SystemLimitException e) {
            throw e; // left open, as by a process that died: nothing is lost
        } catch (LarderException e) {
            session.control.failClose();
            throw e;
        }
    }

    /** Runs a step that waits for other processes; restarts it when the thread is interrupted meanwhile. */
    private void insist(Runnable step) {
        boolean done = false;
        while (!done) {
            try {
                step.run();
                done = true;
            } catch (InterruptedWaitException e) {
                interrupted |= Thread.interrupted();
            }
        }
    }

    private void sign() {
        long end = session.endPosition();
        session.control.ending(new Ending(
                State.CLEAN, end, session.durablePosition(), MemoryIdentity.of(session.storage, session.directory)));
        session.control.force();
    }
}
