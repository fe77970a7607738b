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
 * <p>A look finds work for which the task is not woken, for instance work that another process caused. A look is not worth a
 * thread: the thread that waits for the time runs the looks of all tasks, one after the other.
 *
 * The guard logs an error of a round, and the next round comes after a rest. Other tasks are not affected.
 */
public final class BackgroundTask {

    /** The return value of a round that has nothing to do until the task is woken. */
    public static final long UNTIL_WOKEN = Long.MAX_VALUE;

    private final BackgroundThreads threads;
    private final Duty guard;
    private final LongSupplier round;
    private final BooleanSupplier look;
    private volatile boolean stopped;

    // The rest is guarded by the lock of the threads.

    /** Its place in {@link DueTasks}. */
    int place = DueTasks.NOWHERE;

    long dueNanos;

    /** Whether the task is due for a look, not for a round. */
    boolean looks;

    /** The time between two looks, or {@link #UNTIL_WOKEN} where it has none. */
    final long lookNanos;

    /** Whether the task was woken since its round began. */
    boolean woken;

    boolean started;

    /** The thread that is inside a round, or null. */
    @Nullable
    Thread runner;

    /**
     * A task that is not started yet.
     *
     * @param guard logs what a round throws
     * @param round does what is due, and returns the nanoseconds until the next round, or {@link #UNTIL_WOKEN}
     */
    public BackgroundTask(Duty guard, LongSupplier round) {
        this(BackgroundThreads.OF_PROCESS, guard, round);
    }

    /**
     * A task with a look.
     *
     * @param look returns whether there is something to do after all. It must only load from memory: timed tasks wait for it.
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
     * Starts the task, once; its first round comes at once. If there is no thread yet and none can be started, this throws
     * that error, and the task is not started.
     */
    public void start() {
        threads.add(this);
    }

    /** Brings the next round forward to now; if a round runs, another follows it. Never fails. */
    public void wake() {
        threads.wake(this);
    }

    /** Returns whether the task is to end, for rounds that are long. */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * Stops the task, and waits until no round runs. Not interruptible: the memory that the task uses is unmapped next. A call
     * from inside the task's own round does not wait. A task that never ran is stopped at once.
     */
    public void stop() {
        stopped = true;
        threads.remove(this);
    }

    /** Returns how many tasks of this process are started and not stopped; 0 where everything is closed. */
    public static int started() {
        return BackgroundThreads.OF_PROCESS.tasks();
    }

    /** Runs a round; returns the nanoseconds until the next one. Throws nothing. */
    long runRound() {
        try {
            return round.getAsLong();
        } catch (RuntimeException | Error e) {
            guard.failed(e);
            return Duty.REST_NANOS;
        }
    }

    /** Runs a look; returns the nanoseconds until the round that it asks for. Throws nothing. */
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
