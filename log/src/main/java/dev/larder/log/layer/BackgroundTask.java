package dev.larder.log.layer;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The background work of one log, or of a layer above it. It runs in rounds, one at a time, on threads that all logs of the
 * process share ({@link BackgroundThreads}). A task that has nothing to do costs no thread.
 *
 * <pre>
 * start  ->  round  ->  waits as long as the round said, or until wake  ->  round  ...  ->  stop
 *                         \-> looks now and then, while it waits to be woken
 * </pre>
 *
 * <p>A look finds what nobody wakes the task for, another process's doing for instance. It is not worth a thread: the one that
 * waits for the time takes the looks of all tasks, one after the other.
 *
 * An error of a round is logged by its guard, and the next round comes after a rest. It touches no other task.
 */
public final class BackgroundTask {

    /** What a round returns when there is nothing to do until somebody wakes the task. */
    public static final long UNTIL_WOKEN = Long.MAX_VALUE;

    private final BackgroundThreads threads;
    private final Duty guard;
    private final LongSupplier round;
    private final BooleanSupplier look;
    private volatile boolean stopped;

    // The rest is guarded by the lock of the threads.

    /** Its place among the tasks that are due at a time. */
    int place = DueTasks.NOWHERE;

    long dueNanos;

    /** Whether what is due is a look. */
    boolean looks;

    /** Between two looks, or {@link #UNTIL_WOKEN} where it has none. */
    final long lookNanos;

    /** Whether it was woken since its round began. */
    boolean woken;

    boolean started;

    /** The thread that is inside a round, or null. */
    @Nullable
    Thread runner;

    /**
     * A task that is not started yet.
     *
     * @param guard logs what a round throws
     * @param round does what is due, and returns how many nanoseconds there will be nothing to do, or {@link #UNTIL_WOKEN}
     */
    public BackgroundTask(Duty guard, LongSupplier round) {
        this(BackgroundThreads.OF_PROCESS, guard, round);
    }

    /**
     * A task with a look.
     *
     * @param look returns whether there is something to do after all. It only loads from memory: timed tasks wait for it.
     * @param lookNanos the time between two looks; at least a second (the looks of all tasks come at whole seconds)
     */
    public BackgroundTask(Duty guard, LongSupplier round, BooleanSupplier look, long lookNanos) {
        this(BackgroundThreads.OF_PROCESS, guard, round, look, lookNanos);
    }

    BackgroundTask(BackgroundThreads threads, Duty guard, LongSupplier round) {
        this(threads, guard, round, () -> false, UNTIL_WOKEN);
    }

    BackgroundTask(BackgroundThreads threads, Duty guard, LongSupplier round, BooleanSupplier look, long lookNanos) {
        this.threads = threads;
        this.guard = guard;
        this.round = round;
        this.look = look;
        this.lookNanos = lookNanos;
    }

    /**
     * Starts it, once: its first round comes at once. Where there is no thread yet and none can be started, that is the error,
     * and the task is not started.
     */
    public void start() {
        threads.add(this);
    }

    /** Brings the next round forward to now; one that runs is followed by another. Fails never. */
    public void wake() {
        threads.wake(this);
    }

    /** Returns whether it is to end, for rounds that are long. */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * Stops it, and waits until no round runs. Not interruptible: what it works on is unmapped next. Called from inside its own
     * round it does not wait. A task that never ran is stopped at once.
     */
    public void stop() {
        stopped = true;
        threads.remove(this);
    }

    /** Returns how many tasks of this process are started and not stopped: none, where everything is closed. */
    public static int started() {
        return BackgroundThreads.OF_PROCESS.tasks();
    }

    /** Does a round; returns the nanoseconds until the next one. Throws nothing. */
    long runRound() {
        try {
            return round.getAsLong();
        } catch (RuntimeException | Error e) {
            guard.failed(e);
            return Duty.REST_NANOS;
        }
    }

    /** Does a look; returns how long until the round that it asks for. Throws nothing. */
    long runLook() {
        try {
            return look.getAsBoolean() ? 0 : UNTIL_WOKEN;
        } catch (RuntimeException | Error e) {
            guard.failed(e);
            return UNTIL_WOKEN; // the next look comes at its time
        }
    }

    @Override
    public String toString() {
        return guard.toString();
    }
}
