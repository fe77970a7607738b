package dev.larder.arraycli.demo;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A client with keys of its own. It writes each key once, then reads and writes them at random, one in ten a write. It knows the
 * last acknowledged value of each key, so it knows the right answer to each read.
 */
final class DemoWorker implements Runnable {

    private static final int WRITES_OF_TEN = 1;
    private static final int VALUE_CHARACTERS = 1000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_MILLIS = 20;

    /** The version of a key whose last write was given up: that write may have been done. */
    private static final int UNKNOWN = -1;

    private static final int NOT_WAITING = 0;

    private final int number;
    private final int[] versions;
    private final UnifiedJedis client;
    private final Tally tally;
    private final BooleanSupplier isStopped;
    private final CountDownLatch filled;
    private final Random random;

    /** The time since which the present operation waits; {@link #NOT_WAITING} if there is none. */
    private volatile long beganNanos = NOT_WAITING;

    /** Whether the clients have stopped and their keys are being read once more. */
    private boolean isVerifying;

    DemoWorker(
            int number, int keys, UnifiedJedis client, Tally tally, BooleanSupplier isStopped, CountDownLatch filled) {
        this.number = number;
        this.versions = new int[keys];
        this.client = client;
        this.tally = tally;
        this.isStopped = isStopped;
        this.filled = filled;
        this.random = new Random(number);
    }

    @Override
    public void run() {
        for (int key = 0; key < versions.length && !isStopped.getAsBoolean(); key++) {
            write(key);
        }
        filled.countDown();
        while (!isStopped.getAsBoolean()) {
            int key = random.nextInt(versions.length);
            if (random.nextInt(10) < WRITES_OF_TEN) {
                write(key);
            } else {
                read(key);
            }
        }
    }

    /** Reads all keys once more, and reports wrong values to the tally. */
    void verify() {
        isVerifying = true;
        for (int key = 0; key < versions.length; key++) {
            read(key);
        }
    }

    /** Adds the time that the present operation has waited so far. */
    void tellWait() {
        long began = beganNanos;
        if (began != NOT_WAITING) {
            tally.waited(System.nanoTime() - began);
        }
    }

    private void write(int key) {
        int version = Math.max(versions[key], 0) + 1;
        boolean isDone = operate(() -> client.set(name(key), value(key, version)));
        versions[key] = isDone ? version : UNKNOWN;
    }

    private void read(int key) {
        @Nullable String[] found = {null};
        boolean isDone = operate(() -> found[0] = client.get(name(key)));
        if (isDone && versions[key] > 0 && !value(key, versions[key]).equals(found[0])) {
            tally.wrong();
        }
    }

    /** Runs a call until it succeeds, and returns whether it has. */
    private boolean operate(Runnable call) {
        long began = System.nanoTime() | 1; // never the number that stands for no operation
        beganNanos = began;
        try {
            while (!isDone(call)) {
                if (System.nanoTime() - began > PATIENCE_NANOS) {
                    tally.givenUp();
                    return false;
                }
                if (isStopped.getAsBoolean() && !isVerifying) {
                    return false;
                }
                tally.retried();
                pause();
            }
            tally.done(System.nanoTime() - began);
            return true;
        } finally {
            beganNanos = NOT_WAITING;
        }
    }

    private static boolean isDone(Runnable call) {
        try {
            call.run();
            return true;
        } catch (JedisException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String name(int key) {
        return "demo:" + number + ":" + key;
    }

    private String value(int key, int version) {
        char[] filling = new char[VALUE_CHARACTERS];
        Arrays.fill(filling, (char) ('a' + version % 26));
        return name(key) + ":" + version + ":" + new String(filling);
    }
}
