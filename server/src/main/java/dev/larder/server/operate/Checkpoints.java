package dev.larder.server.operate;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes checkpoints of all databases, by command. Writes are in the log anyway: a checkpoint only makes the next opening
 * quick. Thread-safe.
 */
final class Checkpoints {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final int MILLIS = 1000;

    private final NodeData data;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile long lastSecond = System.currentTimeMillis() / MILLIS;
    private volatile long lastTookSeconds = -1;
    private volatile long startedMillis;
    private volatile boolean lastFailed;
    private volatile long count;

    Checkpoints(NodeData data) {
        this.data = data;
    }

    /** Makes a checkpoint; returns false if one is being made. */
    boolean makeNow() {
        if (!running.compareAndSet(false, true)) {
            return false;
        }
        make(data::checkpoint);
        return true;
    }

    /** Lets the stop of the server make none. */
    void leaveOutLast() {
        data.leaveOutLastCheckpoint();
    }

    /** Makes a checkpoint in the background; returns false if one is being made. */
    boolean makeSoon() {
        return doSoon(data::checkpoint);
    }

    /** Writes a backup to a folder in the background; returns false if something is being made. */
    boolean backupSoon(Path to) {
        return doSoon(() -> data.backup().accept(to));
    }

    private boolean doSoon(Runnable work) {
        if (!running.compareAndSet(false, true)) {
            return false;
        }
        try {
            Thread.ofPlatform().name("larder-bgsave").daemon().start(() -> makeQuietly(work));
        } catch (Error e) { // no thread can be started
            running.set(false);
            throw e;
        }
        return true;
    }

    private void makeQuietly(Runnable work) {
        try {
            make(work);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a background save failed: " + e, e);
        }
    }

    private void make(Runnable work) {
        startedMillis = System.currentTimeMillis();
        boolean failed = true;
        try {
            work.run();
            failed = false;
            synchronized (this) {
                count++;
            }
            lastSecond = System.currentTimeMillis() / MILLIS;
        } finally {
            lastFailed = failed;
            lastTookSeconds = (System.currentTimeMillis() - startedMillis) / MILLIS;
            running.set(false);
        }
    }

    boolean isRunning() {
        return running.get();
    }

    boolean hasFailed() {
        return lastFailed;
    }

    /** Returns when the last checkpoint was made, or else when the server was started, in seconds since 1970. */
    long lastSecond() {
        return lastSecond;
    }

    long lastTookSeconds() {
        return lastTookSeconds;
    }

    /** Returns for how many seconds one has been in the making; -1 if none is. */
    long runsForSeconds() {
        return running.get() ? (System.currentTimeMillis() - startedMillis) / MILLIS : -1;
    }

    long count() {
        return count;
    }
}
