package dev.larder.lab;

import dev.larder.lab.process.Peer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wish of the user (Ctrl-C, SIGTERM) that a run ends now.
 *
 * <p>The child processes are ended at once; the JVM's own end waits until the run has written what it has.
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

    /** Names a process that is ended when the run is interrupted. */
    public void guard(Peer peer) {
        peers.add(peer);
        if (interrupted) {
            peer.destroy();
        }
    }

    /** Returns whether the run is to end. */
    public boolean isInterrupted() {
        return interrupted;
    }

    private void interrupt() {
        interrupted = true;
        peers.forEach(Peer::destroy);
        try {
            finished.await(FINISH_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The run has written what it has. */
    @Override
    public void close() {
        finished.countDown();
        if (!interrupted) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
