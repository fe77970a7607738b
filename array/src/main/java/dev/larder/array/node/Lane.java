package dev.larder.array.node;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.ratis.NotCommittedException;
import dev.larder.array.stripe.StripeClock;
import dev.larder.memory.LarderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The way of all writes to a stripe. An entry costs the same whatever it holds, so while some are under way the next one grows:
 *
 * <pre>
 * operations of all loops -> open group -> entry     at once, if none is under way, or one that holds few operations
 *                                       -> entry     when one comes back, or the group is large
 * </pre>
 *
 * Thread-safe. An entry is submitted once: what its replies do not say is not known.
 */
final class Lane {

    private static final int UNDER_WAY_MOST = 2;

    /** Beside an entry of more operations none is sent: the next ones join, and a busy stripe writes half as many entries. */
    private static final int FEW_OPERATIONS = 2;

    private static final int GROUP_BYTES = 256 << 10;
    private static final int GROUP_OPERATIONS = 1024;
    private static final String UNKNOWN =
            "CLUSTERDOWN The write may have been done: this node lost the leadership before it knew";
    private static final String BUSY = "TRYAGAIN The write was not done: there are too many under way";

    private final Stripe stripe;
    private List<Submission> group = new ArrayList<>();
    private int groupBytes;
    private int underWay;
    private int operationsUnderWay;
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

    private synchronized @Nullable List<Submission> takeAfter(List<Submission> ended) {
        underWay--;
        operationsUnderWay -= ended.size();
        return take();
    }

    private @Nullable List<Submission> take() {
        boolean isLarge = groupBytes >= GROUP_BYTES || group.size() >= GROUP_OPERATIONS;
        boolean waits = underWay >= UNDER_WAY_MOST || (underWay > 0 && operationsUnderWay > FEW_OPERATIONS);
        if (group.isEmpty() || (waits && !isLarge)) {
            return null;
        }
        List<Submission> taken = group;
        group = new ArrayList<>();
        groupBytes = 0;
        underWay++;
        operationsUnderWay += taken.size();
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
        StripeClock.EntryTime time = clock.begin();
        CompletableFuture<ByteBuffer> replies;
        try {
            replies = stripe.submit(new Entry(time.millis(), operations).encode());
        } catch (RuntimeException | Error e) {
            replies = CompletableFuture.failedFuture(e);
        }
        var _ = replies.whenComplete((bytes, error) -> {
            clock.end(time);
            end(submissions, bytes, error);
            send(takeAfter(submissions));
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
