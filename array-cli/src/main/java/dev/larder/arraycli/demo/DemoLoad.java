package dev.larder.arraycli.demo;

import dev.larder.arraycli.state.ArrayDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import redis.clients.jedis.RedisClusterClient;

/** Clients that read and write until they are stopped. */
final class DemoLoad implements AutoCloseable {

    /** As many as a pool of the client has connections. */
    private static final int WORKERS = 8;

    private static final int KEYS_OF_WORKER = 500;

    private final RedisClusterClient client;
    private final Tally tally = new Tally();
    private final CountDownLatch filled = new CountDownLatch(WORKERS);
    private final List<DemoWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isStopped;

    DemoLoad(ArrayDescription description) {
        client = DemoClient.open(description);
        for (int number = 0; number < WORKERS; number++) {
            workers.add(new DemoWorker(number, KEYS_OF_WORKER, client, tally, () -> isStopped, filled));
        }
    }

    /** Returns how many keys are written. */
    static int keys() {
        return WORKERS * KEYS_OF_WORKER;
    }

    void start() {
        for (DemoWorker worker : workers) {
            threads.add(Thread.ofPlatform().daemon().name("larder-demo").start(worker));
        }
    }

    /** Returns whether each key has been written once. */
    boolean isFilled() {
        return filled.getCount() == 0;
    }

    /** Returns what was done so far. */
    Tally.Counts counts() {
        return tally.counts();
    }

    /** Returns the longest wait since the last call, of operations that are done and of those that still wait. */
    long takeLongestNanos() {
        workers.forEach(DemoWorker::tellWait);
        return tally.takeLongestNanos();
    }

    /** Stops the clients, and reads all keys once more. */
    void stopAndVerify() throws InterruptedException {
        isStopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        workers.forEach(DemoWorker::verify);
    }

    @Override
    public void close() {
        isStopped = true;
        client.close();
    }
}
