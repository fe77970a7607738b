package dev.larder.server.local;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few threads that wait so that event loops need not: some read records from the disk, others wait for room. They start when
 * they are needed, and end when nothing was for a while.
 */
public final class Preparations implements AutoCloseable {

    private static final int READERS = 8;
    private static final int MAKERS_OF_ROOM = 2;
    private static final int IDLE_SECONDS = 30;
    private static final int STOP_SECONDS = 10;

    private final ThreadPoolExecutor readers = threads("larder-read", READERS);
    private final ThreadPoolExecutor rooms = threads("larder-room", MAKERS_OF_ROOM);

    /** Threads that have not started yet. */
    public Preparations() {}

    private static ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name + "-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * Returns the threads that read, or those that wait for room.
     *
     * @throws RejectedExecutionException from the threads, after the end
     */
    Executor threads(boolean reads) {
        return reads ? readers : rooms;
    }

    /** Ends the threads; what was not begun is not done. */
    @Override
    public void close() {
        readers.shutdownNow();
        rooms.shutdownNow();
        try {
            if (!readers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)
                    || !rooms.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                System.getLogger("dev.larder.server")
                        .log(System.Logger.Level.WARNING, "a thread that reads or waits for room has not ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
