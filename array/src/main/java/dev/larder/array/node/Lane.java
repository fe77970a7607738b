package dev.larder.array.node;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.ratis.NotCommittedException;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StripeClock;
import dev.larder.memory.LarderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way of all writes to a stripe. An entry costs much the same whatever it holds, so while one is under way the next one grows.
 * Clients that are answered soon write again: so it then waits for as many, but no longer than the last entry has taken.
 *
 * <pre>
 * operations of all loops -> open group -> entry     if no entry is under way, and the clients that were answered have written
 *                                       -> entry     if no entry is under way, and the wait is over
 *                                       -> entry     if the group is large
 * </pre>
 *
 * Thread-safe. An entry is submitted once: what its replies do not say is not known.
 */
final class Lane {

    /** For so long the open group waits at most for those that were answered. */
    private static final long WAIT_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int GROUP_BYTES = 256 << 10;
    private static final int GROUP_OPERATIONS = 1024;
    private static final String UNKNOWN =
            "CLUSTERDOWN The write may have been done: this node lost the leadership before it knew";
    private static final String BUSY = "TRYAGAIN The write was not done: there are too many under way";

    private final Stripe stripe;
    private List<Submission> group = new ArrayList<>();
    private int groupBytes;
    private int underWay;

    /** For how many operations the open group waits; 0: for none. */
    private int awaited;

    private long waits;
    private long entries;
    private long operations;

    Lane(Stripe stripe) {
        this.stripe = stripe;
    }

    /** Adds an operation to the next entry. */
    void submit(Submission submission) {
        List<Submission> ready;
        synchronized (this) {
            group.add(submission);
            groupBytes += submission.operation().sizeBytes();
            ready = take();
        }
        send(ready);
    }

    /** Returns how many entries it has sent. */
    synchronized long entries() {
        return entries;
    }

    /** Returns how many operations were in them. */
    synchronized long operations() {
        return operations;
    }

    /** Has the open group wait. Called before the answers go, so that it counts nobody twice. */
    private void cameBack(int answered, long tookNanos) {
        long wait;
        synchronized (this) {
            underWay--;
            boolean isAlone = answered == 1 && group.isEmpty();
            if (underWay > 0 || isAlone) {
                return;
            }
            awaited = group.size() + answered;
            wait = ++waits;
        }
        CompletableFuture.delayedExecutor(Math.min(tookNanos, WAIT_MOST_NANOS), TimeUnit.NANOSECONDS)
                .execute(() -> send(takeAfter(wait)));
    }

    private synchronized @Nullable List<Submission> takeAfter(long wait) {
        if (wait != waits) {
            return null; // its group has gone
        }
        awaited = 0;
        return take();
    }

    private @Nullable List<Submission> take() {
        boolean isLarge = groupBytes >= GROUP_BYTES || group.size() >= GROUP_OPERATIONS;
        boolean isWaiting = underWay > 0 || group.size() < awaited;
        if (group.isEmpty() || (isWaiting && !isLarge)) {
            return null;
        }
        List<Submission> taken = group;
        group = new ArrayList<>();
        groupBytes = 0;
        awaited = 0;
        underWay++;
        entries++;
        operations += taken.size();
        return taken;
    }

    private void send(@Nullable List<Submission> submissions) {
        if (submissions == null) {
            return;
        }
        StripeClock clock = stripe.state().clock();
        List<Operation> operations =
                submissions.stream().map(Submission::operation).toList();
        EntryReads reads =
                new EntryReads(submissions.stream().map(Submission::reads).toList());
        StripeClock.EntryTime time = clock.begin();
        long begunNanos = System.nanoTime();
        CompletableFuture<ByteBuffer> replies;
        try {
            replies = stripe.submit(new Entry(time.millis(), operations).encode(), reads);
        } catch (RuntimeException | Error e) {
            replies = CompletableFuture.failedFuture(e);
        }
        var _ = replies.whenComplete((bytes, error) -> {
            clock.end(time);
            cameBack(submissions.size(), System.nanoTime() - begunNanos);
            end(submissions, bytes, error);
        });
    }

    private void end(List<Submission> submissions, @Nullable ByteBuffer bytes, @Nullable Throwable error) {
        if (bytes == null) {
            failed(submissions, error);
            return;
        }
        try {
            Replies replies = Replies.decode(bytes);
            for (int i = 0; i < submissions.size(); i++) {
                submissions.get(i).replied(replies.operations().get(i));
            }
        } catch (LarderException e) {
            submissions.forEach(submission -> submission.failed("ERR " + e.getMessage()));
        }
    }

    /** An entry that was refused, for others are to lead, is sent there. */
    private void failed(List<Submission> submissions, @Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
        if (!(cause instanceof NotCommittedException not) || !not.isRefused()) {
            submissions.forEach(submission -> submission.failed(UNKNOWN));
        } else if (not.isBusy()) {
            submissions.forEach(submission -> submission.failed(BUSY));
        } else {
            stripe.onceLedElsewhere(() -> submissions.forEach(Submission::refused));
        }
    }
}
