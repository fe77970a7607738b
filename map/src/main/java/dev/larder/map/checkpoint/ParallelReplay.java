package dev.larder.map.checkpoint;

import dev.larder.log.FlightEvents;
import dev.larder.log.Log;
import dev.larder.log.Position;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.entry.MapParts;
import dev.larder.map.shared.Epochs;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The log read again into the index by several threads, each of which takes the next segment not yet taken.
 *
 * <pre>
 * from                                                              end
 *  |  segment n  |  n + 1  |  n + 2  |  n + 3  |  ...  |  tail      |
 *     thread a      b         b         a
 * </pre>
 *
 * <p>A record is linked unless a later one of its key is linked. That gives the same index in any order, so no thread waits for
 * another. A thread that links is pinned, as others may be splitting the page.
 *
 * <p>The caller replays a single segment by itself, as after most crashes. A longer replay logs its progress to
 * {@code dev.larder.map} every two seconds.
 */
public final class ParallelReplay {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");
    private static final int THREADS_MAX = 8;
    private static final long TOLD_EVERY_MILLIS = 2000;

    private final Log log;
    private final EntryStore store;
    private final Epochs changes;
    private final long seed;
    private final int threadsMax;
    private final LongAdder records = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicInteger next = new AtomicInteger();

    private long from;
    private long end;

    public ParallelReplay(Log log, MapParts parts) {
        this(log, parts, Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors()));
    }

    public ParallelReplay(Log log, MapParts parts, int threadsMax) {
        this.log = log;
        this.store = parts.store();
        this.changes = parts.changes();
        this.seed = parts.seed();
        this.threadsMax = threadsMax;
    }

    /** Reads from a position, or the first record, up to the present end of the log. May be called once. */
    public void run(OptionalLong position) {
        run(position, log.endPosition());
    }

    /** Reads from a position, or the first record, up to another; reads nothing if that is earlier. May be called once. */
    public void run(OptionalLong position, long before) {
        from = position.orElseGet(log::firstPosition);
        end = Math.max(from, before);
        next.set(Position.segment(from));
        Optional<ReplayEvent> event = FlightEvents.ifRecorded(() -> ReplayEvent.start(log.directory()));
        int threads = Math.min(threadsMax, segments());
        if (threads <= 1) {
            work();
        } else {
            workBy(threads);
        }
        throwFailure();
        event.ifPresent(told -> told.finish(records.sum(), segments(), threads));
    }

    private int segments() {
        return Position.segment(end) - Position.segment(from) + 1;
    }

    private void workBy(int threads) {
        CountDownLatch working = new CountDownLatch(threads);
        int started = start(threads, working);
        for (int missing = started; missing < threads; missing++) {
            working.countDown();
        }
        if (started < threads) {
            work();
        }
        awaitAndTell(working);
    }

    /** Starts threads; returns how many were started. If the system has no thread left, the caller works, too. */
    private int start(int threads, CountDownLatch working) {
        int started = 0;
        try {
            while (started < threads) {
                store.reached("replay.starting");
                Thread.ofPlatform()
                        .daemon()
                        .name("larder-map-replay-" + started)
                        .start(() -> work(working));
                started++;
            }
        } catch (OutOfMemoryError e) {
            LOGGER.log(System.Logger.Level.DEBUG, "fewer threads than processors read the log", e);
        }
        return started;
    }

    private void work(CountDownLatch working) {
        try {
            work();
        } finally {
            working.countDown();
        }
    }

    /** Waits for the threads, and logs the progress. Not interruptible: the index is not finished. */
    private void awaitAndTell(CountDownLatch working) {
        boolean interrupted = false;
        boolean done = false;
        while (!done) {
            try {
                done = working.await(TOLD_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                if (!done) {
                    tell();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell() {
        int taken = Math.min(next.get() - Position.segment(from), segments());
        LOGGER.log(
                System.Logger.Level.INFO,
                log.directory() + ": building the index from the log: " + records.sum() + " records; segment " + taken
                        + " of " + segments());
    }

    private void work() {
        try {
            Replay replay = new Replay(store, seed);
            int number = next.getAndIncrement();
            while (number <= Position.segment(end) && failure.get() == null) {
                read(replay, number);
                number = next.getAndIncrement();
            }
        } catch (RuntimeException | Error e) {
            if (!failure.compareAndSet(null, e)) {
                LOGGER.log(System.Logger.Level.DEBUG, "another thread has failed before", e);
            }
        }
    }

    private void read(Replay replay, int number) {
        long start = number == Position.segment(from) ? from : Position.of(number, 0);
        long stop = number == Position.segment(end) ? end : Position.of(number + 1, 0);
        Replay.read(log, OptionalLong.of(start), stop, (position, record, at, length) -> {
            link(replay, position, record, at, length);
            records.increment();
        });
    }

    private void link(Replay replay, long position, MemorySegment record, long at, int length) {
        int line = changes.pinAnyway();
        try {
            replay.link(position, record, at, length);
        } finally {
            changes.unpin(line);
        }
    }

    private void throwFailure() {
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new AssertionError(e);
        }
    }
}
