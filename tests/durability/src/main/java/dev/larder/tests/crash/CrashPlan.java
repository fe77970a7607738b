package dev.larder.tests.crash;

import dev.larder.log.layer.Failpoints;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The step at which a process halts, or waits to be stopped: {@code halt:append.claimed:3} at the third time, or
 * {@code stop:...}. {@code none} is no step; {@code no-recovery} is a protocol that recovers nothing.
 *
 * <p>Beside the steps of the log, the programs have one of their own, {@code fill.half}: half of a record that is written in
 * place is there.
 *
 * <p>If another thread than the working one is to be stopped, the plan first holds the working thread between two messages.
 * Otherwise the stop could leave it with a claim, and readers rightly wait for a claim of a live process.
 */
final class CrashPlan implements Failpoints {

    /** Thrown in place of a recovery. */
    static final class NoRecoveryException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoRecoveryException() {
            super("this protocol recovers nothing", null, false, false);
        }
    }

    private static final long HOLD_SECONDS = 1;

    private final String action;
    private final String step;
    private final AtomicInteger left;
    private final Conversation parent;
    private final Progress progress;
    private final Thread worker = Thread.currentThread();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean holding;
    private final ThreadLocal<Long> judged = ThreadLocal.withInitial(() -> 0L);

    CrashPlan(String plan, Conversation parent, Progress progress) {
        String[] parts = plan.split(":", 3);
        this.action = parts[0];
        this.step = parts.length == 3 ? parts[1] : "";
        this.left = new AtomicInteger(parts.length == 3 ? Integer.parseInt(parts[2]) : 0);
        this.parent = parent;
        this.progress = progress;
    }

    boolean isAction(String name) {
        return action.equals(name);
    }

    @Override
    public void reached(String at) {
        switch (at) {
            case "recover.judged" -> judged.set(System.nanoTime());
            case "recover.settled" -> progress.add(Progress.Kind.RECOVERY, judged.get(), System.nanoTime());
            default -> {}
        }
        if (at.equals(step) && left.decrementAndGet() == 0) {
            crash(at);
        }
        if (isAction("no-recovery") && at.equals("recover.judged")) {
            throw new NoRecoveryException();
        }
    }

    private void crash(String at) {
        if (isAction("stop")) {
            holdWorker();
            parent.say("AT " + at);
            parent.awaitGo();
            released.countDown();
        } else {
            parent.say("AT " + at);
            Runtime.getRuntime().halt(137);
        }
    }

    /** Waits until the working thread is between two messages, unless the caller is the working thread. */
    private void holdWorker() {
        if (!Thread.currentThread().equals(worker)) {
            holding = true;
            await(held, HOLD_SECONDS);
        }
    }

    /** Called by the working thread between two messages. */
    void betweenMessages() {
        if (holding) {
            held.countDown();
            await(released, Long.MAX_VALUE);
        }
    }

    private static void await(CountDownLatch latch, long seconds) {
        try {
            latch.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
