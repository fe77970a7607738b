package dev.larder.map.checkpoint;

import dev.larder.log.layer.BackgroundTask;
import dev.larder.log.layer.Duty;
import java.util.function.BooleanSupplier;

/**
 * The background task of a map that writes images of its index from time to time. It is a separate task, since an image of
 * billions of entries takes minutes. Each cause of an error is logged once; a failed write is not retried at once.
 */
public final class CheckpointTask {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final long LOOK_NANOS = 1_000_000_000;

    /** The least time from one image to the next. */
    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final CheckpointNeed need;
    private final BooleanSupplier attempt;
    private final Duty guard;
    private final BackgroundTask task;

    /**
     * Creates a task that is not started yet.
     *
     * @param attempt writes an image, unless another process does; returns whether there is a new one
     */
    public CheckpointTask(String name, CheckpointNeed need, BooleanSupplier attempt) {
        this.need = need;
        this.attempt = attempt;
        this.guard = new Duty(name + ": a checkpoint", LOGGER);
        this.task = new BackgroundTask(guard, this::round);
    }

    public void start() {
        task.start();
    }

    /** Returns whether the image being written is to be given up. */
    public boolean isStopped() {
        return task.isStopped();
    }

    private long round() {
        try {
            boolean written = need.isDue() && attempt.getAsBoolean();
            if (written) {
                guard.succeeded();
            }
            return written ? PAUSE_NANOS : LOOK_NANOS;
        } catch (RuntimeException | Error e) {
            if (!task.isStopped()) {
                guard.failed(e);
            }
            return PAUSE_NANOS;
        }
    }

    /** Stops the task; waits until no round runs. */
    public void stop() {
        task.stop();
    }
}
