package dev.larder.server.local;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that wait so that event loops need not. Some read records from the disk, others wait for room. They start on
 * demand, and end after a while without work.
 *
 * <p>A thread that reads takes its next record without sleeping, if one waits already. So there is one thread for every three
 * concurrent reads, from 4 to 64. With one thread for each read, the threads sleep and are woken for every read.
 */
public final class Preparations implements AutoCloseable {

    static final int READERS_MIN = 4;
    static final int READERS_MAX = 64;
    private static final int MAKERS_OF_ROOM = 2;
    private static final int IDLE_SECONDS = 30;
    private static final int STOP_SECONDS = 10;

    private final ThreadPoolExecutor readers = readers();
    private final ThreadPoolExecutor rooms =
            threads("larder-room", MAKERS_OF_ROOM, MAKERS_OF_ROOM, new LinkedBlockingQueue<>());

    /** Creates the pools. No thread has started yet. */
    public Preparations() {}

    private static ThreadPoolExecutor readers() {
        Reads reads = new Reads();
        ThreadPoolExecutor threads = threads("larder-read", READERS_MIN, READERS_MAX, reads);
        threads.setRejectedExecutionHandler(reads::queue);
        reads.threads = threads;
        return threads;
    }

    private static ThreadPoolExecutor threads(String name, int min, int max, LinkedBlockingQueue<Runnable> queue) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                min,
                max,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                queue,
                Thread.ofPlatform().name(name + "-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * The reads that no thread has begun. It takes two reads for each thread; then one more thread starts, if the limit allows
     * it.
     */
    @SuppressWarnings("serial") // never serialized
    private static final class Reads extends LinkedBlockingQueue<Runnable> {

        private @Nullable ThreadPoolExecutor threads;

        @Override
        public boolean offer(Runnable read) {
            return size() < 2 * Objects.requireNonNull(threads).getPoolSize() && super.offer(read);
        }

        /** Queues a read for which no thread may start. */
        void queue(Runnable read, ThreadPoolExecutor full) {
            super.offer(read);
            if (full.isShutdown() && remove(read)) {
                throw new RejectedExecutionException("the server stops");
            }
        }
    }

    /**
     * Returns the threads that read, or those that wait for room.
     *
     * @throws RejectedExecutionException from the threads, after the end
     */
    Executor threads(boolean reads) {
        return reads ? readers : rooms;
    }

    /** Ends the threads; tasks that have not begun are dropped. */
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
