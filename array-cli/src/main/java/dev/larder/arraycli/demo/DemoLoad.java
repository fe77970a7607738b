package dev.larder.arraycli.demo;

import dev.larder.arraycli.state.ArrayDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import redis.clients.jedis.RedisClusterClient;

/** Clients that read and write until they are stopped. */
final class DemoLoad implements AutoCloseable {

    /** As many as the connections in a pool of the client. */
    private static final int WORKERS = 8;

    private final int keys;
    private final RedisClusterClient client;
    private final Tally tally = new Tally();
    private final CountDownLatch filled = new CountDownLatch(WORKERS);
    private final List<DemoWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isStopped;

    /** Creates clients of an array that write a number of keys. */
    DemoLoad(ArrayDescription description, int keys) {
        this.keys = keys;
        client = DemoClient.open(description);
        for (int number = 0; number < WORKERS; number++) {
            workers.add(new DemoWorker(number, keys / WORKERS, client, tally, () -> isStopped, filled));
        }
    }

    /** Returns how many keys are written. */
    int keys() {
        return keys;
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

    /** Returns the results so far. */
    Tally.Counts counts() {
        return tally.counts();
    }

    /** Returns the longest wait since the last call, including operations that still wait. */
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
