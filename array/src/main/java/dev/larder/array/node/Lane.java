package dev.larder.array.node;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryRead;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.ratis.NotCommittedException;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StripeClock;
import dev.larder.memory.LarderException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The path of all writes to a stripe. An entry costs much the same whatever it holds, so the next one grows while one is in
 * flight. Clients that have got replies soon write again. So the next entry waits for as many writes, but no longer than the last
 * entry took.
 *
 * <pre>
 * operations of all loops -> open group -> entry     if no entry is under way, and the answered clients have written
 *                                       -> entry     if no entry is under way, and the wait is over
 *                                       -> entry     if the group is large
 * </pre>
 *
 * Thread-safe. An entry is submitted once. If its replies do not report an effect, it is unknown.
 */
final class Lane {

    /** An operation in flight. */
    interface Write {

        Operation operation();

        /** Returns the reads after the operation. */
        List<EntryRead> reads();

        /** Takes the replies; empty if a watched key had changed. */
        void replied(Optional<List<byte[]>> all);

        /** Takes the line of an error. */
        void failed(String line);

        /** Called if the operation was not done and never will be, since another node is to lead. */
        void refused();

        /** Called ahead of {@link #refused}, before a later entry is submitted. */
        void beginRefusal();

        /** Returns whether an earlier operation of the same client was refused: this one must not overtake it. */
        boolean isBehindRefusal();
    }

    /** The log that takes entries. */
    interface Log {

        /** Returns the term in which this node leads and serves. */
        long servedTerm();

        /**
         * Appends an entry, but in one term alone. Its time was taken in that term. In a later one, another leader may have
         * answered reads at a later time meanwhile.
         *
         * @param reads the reads between its operations
         * @return the replies
         */
        CompletableFuture<ByteBuffer> submit(long term, ByteBuffer entry, EntryReads reads);

        /** Runs a task once another node is known to lead, or this one serves in a term later than the given one, or after 2 s. */
        void onceLedAnew(long term, Runnable task);
    }

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** How long the open group waits at most for the answered clients. */
    private static final long WAIT_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int GROUP_BYTES = 256 << 10;
    private static final int GROUP_OPERATIONS = 1024;
    private static final String UNKNOWN =
            "CLUSTERDOWN The write may have been done: this node lost the leadership before it knew the result";
    private static final String BUSY = "TRYAGAIN The write was not done: this node has too many writes in progress";

    private final StripeClock clock;
    private final Log log;
    private List<Write> group = new ArrayList<>();
    private int groupBytes;
    private int underWay;

    /** Groups that are closed but not yet submitted, in their order. */
    private final Queue<List<Write>> taken = new ArrayDeque<>();

    /**
     * Whether a thread submits closed groups. No other thread does: entries get their places in the log in the order of
     * operations.
     */
    private boolean isSubmitting;

    /** The operations for which the open group waits; 0 if it does not wait. */
    private int awaited;

    private long waits;
    private long entries;
    private long operations;

    Lane(Stripe stripe) {
        this(stripe.state().clock(), stripe);
    }

    Lane(StripeClock clock, Log log) {
        this.clock = clock;
        this.log = log;
    }

    /** Adds an operation to the next entry. */
    void submit(Write write) {
        synchronized (this) {
            group.add(write);
            groupBytes += write.operation().sizeBytes();
            take();
        }
        sendTaken();
    }

    /** Returns how many entries this lane has sent. */
    synchronized long entries() {
        return entries;
    }

    /** Returns how many operations were in them. */
    synchronized long operations() {
        return operations;
    }

    /** Makes the open group wait. Called before the replies go, so that it counts no client twice. */
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
        try {
            CompletableFuture.delayedExecutor(Math.min(tookNanos, WAIT_MOST_NANOS), TimeUnit.NANOSECONDS)
                    .execute(() -> sendAfter(wait));
        } catch (RuntimeException
                | Error e) { // no thread is left for the wait: else the open group would wait for ever
            sendAfter(wait);
        }
    }

    private void sendAfter(long wait) {
        takeAfter(wait);
        sendTaken();
    }

    private synchronized void takeAfter(long wait) {
        if (wait == waits) { // else the group is already closed
            awaited = 0;
            take();
        }
    }

    private void take() {
        boolean isLarge = groupBytes >= GROUP_BYTES || group.size() >= GROUP_OPERATIONS;
        boolean isWaiting = underWay > 0 || group.size() < awaited;
        if (group.isEmpty() || (isWaiting && !isLarge)) {
            return;
        }
        taken.add(group);
        entries++;
        operations += group.size();
        group = new ArrayList<>();
        groupBytes = 0;
        awaited = 0;
        underWay++;
    }

    /** Submits the closed groups, unless a thread already does: that thread then submits these as well. */
    private void sendTaken() {
        boolean isDone = false;
        try {
            for (List<Write> next = next(false); next != null; next = next(true)) {
                send(next);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                giveUpSubmitting();
            }
        }
    }

    /** Lets another thread submit the closed groups. */
    private synchronized void giveUpSubmitting() {
        isSubmitting = false;
    }

    /** Returns the group that this thread is to submit. */
    private synchronized @Nullable List<Write> next(boolean isOurs) {
        if (isSubmitting && !isOurs) {
            return null;
        }
        List<Write> next = taken.poll();
        isSubmitting = next != null;
        return next;
    }

    /** Submits a group, without the operations behind refused ones. If that fails, such as for lack of memory, the group fails. */
    private void send(List<Write> group) {
        List<Write> untold = group;
        try {
            Map<Boolean, List<Write>> parts = group.stream().collect(Collectors.partitioningBy(Write::isBehindRefusal));
            untold = Objects.requireNonNull(parts.get(false));
            each(Objects.requireNonNull(parts.get(true)), Write::refused);
            if (untold.isEmpty()) {
                cameBack(0, 0);
            } else {
                sendAll(untold);
            }
        } catch (RuntimeException | Error e) { // else it would count as under way for ever
            if (!untold.isEmpty()) {
                comeBack(untold, 0, 0, null, e);
            }
        }
    }

    private void sendAll(List<Write> writes) {
        long term = log.servedTerm(); // first: no other leader of an earlier term answers reads from then on
        StripeClock.EntryTime time = clock.begin();
        try {
            sendAll(writes, term, time);
        } catch (RuntimeException | Error e) {
            clock.end(time);
            throw e;
        }
    }

    private void sendAll(List<Write> writes, long term, StripeClock.EntryTime time) {
        long begunNanos = System.nanoTime();
        CompletableFuture<ByteBuffer> replies;
        try {
            replies = submit(writes, term, time);
        } catch (RuntimeException | Error e) {
            replies = CompletableFuture.failedFuture(e);
        }
        var _ = replies.whenComplete((bytes, error) -> {
            try {
                clock.end(time);
            } finally {
                comeBack(writes, term, System.nanoTime() - begunNanos, bytes, error);
            }
        });
    }

    private void comeBack(
            List<Write> writes, long term, long tookNanos, @Nullable ByteBuffer bytes, @Nullable Throwable error) {
        if (isForElsewhere(error)) {
            each(writes, Write::beginRefusal);
        }
        try {
            cameBack(writes.size(), tookNanos);
        } finally {
            end(writes, term, bytes, error);
        }
    }

    private CompletableFuture<ByteBuffer> submit(List<Write> writes, long term, StripeClock.EntryTime time) {
        List<Operation> operations = writes.stream().map(Write::operation).toList();
        EntryReads reads = new EntryReads(writes.stream().map(Write::reads).toList());
        return log.submit(term, new Entry(time.millis(), operations).encode(), reads);
    }

    private void end(List<Write> writes, long term, @Nullable ByteBuffer bytes, @Nullable Throwable error) {
        if (bytes == null) {
            failed(writes, term, error);
            return;
        }
        List<Optional<List<byte[]>>> replies;
        try {
            replies = Replies.decode(bytes).operations();
        } catch (LarderException e) {
            each(writes, write -> write.failed("ERR " + e.getMessage()));
            return;
        }
        if (replies.size() == writes.size()) {
            Iterator<Optional<List<byte[]>>> next = replies.iterator();
            each(writes, write -> write.replied(next.next()));
        } else { // the entry's effects were there already
            each(writes, write -> write.failed(UNKNOWN));
        }
    }

    /** Passes each operation its result, even if the session of one fails. */
    private static void each(List<Write> writes, Consumer<Write> telling) {
        for (Write write : writes) {
            try {
                telling.accept(write);
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.ERROR, "cannot tell a client the result of its write: " + e, e);
            }
        }
    }

    /** Fails the writes of an entry. If it was refused because another node is to lead, they are sent there. */
    private void failed(List<Write> writes, long term, @Nullable Throwable error) {
        if (isForElsewhere(error)) {
            log.onceLedAnew(term, () -> each(writes, Write::refused));
        } else {
            each(writes, write -> write.failed(isBusy(error) ? BUSY : UNKNOWN));
        }
    }

    /** Returns whether an entry was refused because another node is to lead. */
    private static boolean isForElsewhere(@Nullable Throwable error) {
        return cause(error) instanceof NotCommittedException not && not.isRefused() && !not.isBusy();
    }

    private static boolean isBusy(@Nullable Throwable error) {
        return cause(error) instanceof NotCommittedException not && not.isBusy();
    }

    private static @Nullable Throwable cause(@Nullable Throwable error) {
        return error instanceof CompletionException wrapped ? wrapped.getCause() : error;
    }
}
