package dev.larder.map.clean;

import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.layer.Duty;
import dev.larder.log.random.PrefixKeeper;
import dev.larder.map.shared.Processes;
import java.util.function.BooleanSupplier;

/**
 * The background task of a map: five duties, each with its own error handling.
 *
 * <pre>
 * look    for processes that died
 * mend    the state that they have left
 * keys    keep the heads of records of one segment in memory, if that pays
 * clean   the oldest segment, unless another process does, or background cleaning is off
 * free    the segments that any process has dropped
 * </pre>
 *
 * <p>Keys come before cleaning: a put that waits for the disk each time waits longer in all than a put that waits for room. A
 * round takes one step, so that no map keeps a thread from others. The task sleeps until the log reaches another segment, and a
 * quarter of a second at most. Then it also checks whether the oldest entries have expired.
 */
public final class CleanerTask {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final long HELD_NANOS = 10_000_000;

    /** How often the task checks what other processes have done. */
    private static final long LOOK_NANOS = 250_000_000;

    private final String name;
    private final SpaceGovernor space;
    private final Cleaner cleaner;
    private final boolean cleaning;
    private final Duty look;
    private final AfterDeaths afterDeaths;
    private final Duty mend;
    private final Duty keys;
    private final Duty clean;
    private final Duty free;
    private final BackgroundTask task;

    public CleanerTask(
            String name,
            SpaceGovernor space,
            Cleaner cleaner,
            Processes processes,
            AfterDeaths afterDeaths,
            PrefixKeeper heads,
            boolean cleaning) {
        this.name = name;
        this.space = space;
        this.cleaner = cleaner;
        this.cleaning = cleaning;
        this.look = duty("finding dead processes", () -> {
            processes.takeOutDead();
            return true;
        });
        this.afterDeaths = afterDeaths;
        this.mend = duty("repairing after dead processes", afterDeaths::step);
        this.keys = duty("keeping keys in memory", heads::keepOne);
        this.clean = duty("cleaning", this::clean);
        this.free = duty("freeing dropped memory", this::giveBack);
        this.task = new BackgroundTask(new Duty(text("work"), LOGGER), this::round);
    }

    private String text(String work) {
        return name + ": " + work + " in the background";
    }

    /** Creates a duty that releases the threads waiting for it when it fails. */
    private Duty duty(String what, BooleanSupplier work) {
        return new Duty(text(what), LOGGER, () -> {
            boolean well = false;
            try {
                boolean done = work.getAsBoolean();
                well = true;
                return done;
            } finally {
                if (!well) {
                    space.look();
                }
            }
        });
    }

    public void start() {
        task.start();
    }

    /** Wakes the task, as it may be time to clean. */
    public void signal() {
        task.wake();
    }

    private long round() {
        long now = System.nanoTime();
        look.run(now);
        boolean mended = mend.run(now);
        boolean more = keys.run(now) || (cleaning && clean.run(now)) || mended;
        boolean held = free.run(now);
        return more ? 0 : held ? HELD_NANOS : LOOK_NANOS;
    }

    /** Returns whether a dropped segment is still held. */
    private boolean giveBack() {
        return cleaning ? cleaner.giveBack() : cleaner.leaveDropped();
    }

    private boolean clean() {
        boolean cleaned =
                cleaner.cleanOldestAlone(() -> !task.isStopped() && (space.isDue() || cleaner.isOldestExpired()));
        space.look();
        return cleaned;
    }

    /** Stops the task; waits until no round runs. */
    public void stop() {
        task.stop();
        afterDeaths.close();
    }
}
