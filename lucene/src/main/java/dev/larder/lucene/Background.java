package dev.larder.lucene;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads of one directory that do one kind of work. They end when they have no work. */
final class Background extends ThreadPoolExecutor {

    private static final long IDLE_SECONDS = 1;

    /** Creates threads that are named after their work. */
    Background(String work, int threads) {
        super(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform()
                        .daemon()
                        .name("larder-lucene-" + work + "-", 1)
                        .factory());
        allowCoreThreadTimeOut(true);
    }

    /** Stops accepting work, and returns when all work is done and the threads have ended. */
    void finish() {
        shutdown();
        boolean interrupted = false;
        while (!isTerminated()) {
            try {
                awaitTermination(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
