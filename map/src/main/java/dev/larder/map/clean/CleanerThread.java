package dev.larder.map.clean;

import dev.larder.log.BackgroundThread;
import dev.larder.log.random.PrefixKeeper;
import dev.larder.map.shared.Processes;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread of a map in the background. It cleans, unless another process does, or that was not wished; it keeps the heads
 * of records for which that pays; and it unmaps what other processes have dropped. It sleeps until the log has come to another segment, and a quarter of a second at most; then it looks as well
 * whether the oldest entries have expired. Each duty has its own guard: an error of one is told, and the others go on.
 */
public final class CleanerThread implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final long HELD_NANOS = 10_000_000;

    /** How often it looks what other processes have done. */
    private static final long LOOK_NANOS = 250_000_000;

    private final String name;
    private final SpaceGovernor space;
    private final Cleaner cleaner;
    private final Processes processes;
    private final PrefixKeeper heads;
    private final boolean cleaning;
    private final BackgroundThread thread;
    private volatile boolean signalled;

    public CleanerThread(
            String name,
            SpaceGovernor space,
            Cleaner cleaner,
            Processes processes,
            PrefixKeeper heads,
            boolean cleaning) {
        this.name = name;
        this.space = space;
        this.cleaner = cleaner;
        this.processes = processes;
        this.heads = heads;
        this.cleaning = cleaning;
        this.thread = new BackgroundThread("larder-map-" + name, this);
    }

    public void start() {
        thread.start();
    }

    /** Tells that it may be time to clean. */
    public void signal() {
        signalled = true;
        thread.wake();
    }

    @Override
    public void run() {
        while (!thread.isStopped()) {
            signalled = false;
            boolean well = attempt("looking for processes that died", this::takeOutDead) != Outcome.FAILED;
            well &= work();
            Outcome held = attempt("giving back what was dropped", this::giveBack);
            if (well && held != Outcome.FAILED) {
                thread.goesWell();
            }
            sleep(held == Outcome.DONE);
        }
    }

    /** What became of a duty. */
    private enum Outcome {
        DONE,
        NOTHING,
        FAILED
    }

    /** Does one of the thread's duties; an error of it is told, and keeps no other duty from being done. */
    private Outcome attempt(String what, BooleanSupplier duty) {
        try {
            return duty.getAsBoolean() ? Outcome.DONE : Outcome.NOTHING;
        } catch (RuntimeException | Error e) {
            tell(what, e);
            return Outcome.FAILED;
        }
    }

    private boolean takeOutDead() {
        processes.takeOutDead();
        return true;
    }

    /** Returns whether something of what was dropped is still held. */
    private boolean giveBack() {
        return cleaning ? cleaner.giveBack() : cleaner.leaveDropped();
    }

    private void sleep(boolean held) {
        if (!signalled && !thread.isStopped()) {
            LockSupport.parkNanos(held ? HELD_NANOS : LOOK_NANOS);
        }
    }

    /**
     * Keys come before cleaning: who waits for the disk at each put waits for longer than who waits for room. Returns whether
     * nothing has failed; what has is left until the next time.
     */
    private boolean work() {
        Outcome kept = Outcome.DONE;
        Outcome cleaned = Outcome.DONE;
        while (!thread.isStopped() && (kept == Outcome.DONE || cleaned == Outcome.DONE)) {
            kept = kept == Outcome.FAILED ? kept : attempt("keeping keys in memory", heads::keepOne);
            boolean turn = kept != Outcome.DONE && cleaning && cleaned != Outcome.FAILED;
            cleaned = turn ? attempt("cleaning", this::clean) : cleaned == Outcome.FAILED ? cleaned : Outcome.NOTHING;
        }
        return kept != Outcome.FAILED && cleaned != Outcome.FAILED;
    }

    private boolean clean() {
        boolean cleaned =
                cleaner.cleanOldestAlone(() -> !thread.isStopped() && (space.isDue() || cleaner.isOldestExpired()));
        space.look();
        return cleaned;
    }

    private void tell(String what, Throwable failed) {
        try {
            space.look(); // who waits for this thread need not wait any more
        } catch (RuntimeException | Error e) {
            // what has failed once fails again, as a rule: one of the two is told
        }
        thread.tell(LOGGER, name + ": " + what + " in the background failed", failed);
    }

    /** Stops the thread; waits until it has ended. */
    public void stop() {
        thread.stop();
    }
}
