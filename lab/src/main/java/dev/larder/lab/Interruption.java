package dev.larder.lab;

import dev.larder.lab.process.Peer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The user's request (Ctrl-C, SIGTERM) to end a run.
 *
 * <p>It ends the child processes at once; the JVM itself exits when the run has written its samples.
 */
public final class Interruption implements AutoCloseable {

    private static final long FINISH_SECONDS = 30;

    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "lab-interruption");
    private volatile boolean interrupted;

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Registers a process to end when the run is interrupted. */
    public void guard(Peer peer) {
        peers.add(peer);
        if (interrupted) {
            peer.destroy();
        }
    }

    /** Returns whether the run must end. */
    public boolean isInterrupted() {
        return interrupted;
    }

    void interrupt() {
        interrupted = true;
        peers.forEach(Peer::destroy);
        try {
            finished.await(FINISH_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Signals that the result is written. */
    @Override
    public void close() {
        finished.countDown();
        if (!interrupted) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
