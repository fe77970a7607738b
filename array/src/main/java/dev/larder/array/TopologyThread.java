package dev.larder.array;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The thread that makes a node follow the array's record, some times a second, until it is closed. */
final class TopologyThread implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long PERIOD_MILLIS = 200;
    private static final long PERIOD_AFTER_FAILURE_MILLIS = 2_000;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private TopologyThread(int node, Runnable task) {
        this.thread =
                Thread.ofPlatform().daemon().name("larder-topology-" + node).unstarted(() -> run(task));
    }

    static TopologyThread start(int node, Runnable task) {
        TopologyThread started = new TopologyThread(node, task);
        started.thread.start();
        return started;
    }

    private void run(Runnable task) {
        try {
            long pause = PERIOD_MILLIS;
            while (!closed.await(pause, TimeUnit.MILLISECONDS)) {
                pause = runOnce(task) ? PERIOD_MILLIS : PERIOD_AFTER_FAILURE_MILLIS;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no code interrupts this thread; the node would stay as it is
        }
    }

    /**
     * Runs the task once. Any failure, even an error, is retried: the task derives its work from the present state. Returns
     * whether the task succeeded.
     */
    private static boolean runOnce(Runnable task) {
        try {
            task.run();
            return true;
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.WARNING, "a step of a topology change failed: " + e, e);
            return false;
        }
    }

    /** Waits for the step in progress; no other step follows. */
    @Override
    public void close() {
        closed.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
