package dev.larder.tests.power;

import dev.larder.memory.Storage;
import dev.larder.memory.doubles.PowerLossStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Two writers and a syncer on a log in memory, whose power is cut at random instants: images are taken while they run, and
 * checked while they stand still.
 *
 * <p>A seed decides what is appended and what images keep; the scheduler decides where each thread is when the power goes.
 */
final class PowerLossRun {

    private static final int WRITERS = 2;

    /**
     * With one message more, a batch is still below the 512 KiB that it stages for segments of 2 MiB. The log appends a fuller
     * batch in parts, and another writer may come between. The ledger takes a batch as one run.
     */
    private static final int BATCH_BYTES_MAX = 400_000;

    private final PowerLossStorage power;
    private final Storage storage;
    private final PoweredLog.Opener opener;
    private final SplittableRandom random;
    private final Ledger ledger = new Ledger();
    private final AtomicLong durable = new AtomicLong(-1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ReentrantReadWriteLock running = new ReentrantReadWriteLock(true);
    private volatile boolean stopped;
    private long images;

    PowerLossRun(PoweredLog.Opener opener, UnaryOperator<Storage> storage, PowerLossStorage power, long seed) {
        this.opener = opener;
        this.power = power;
        this.storage = storage.apply(power);
        this.random = new SplittableRandom(seed);
    }

    /** Appends until a number of bytes is there, and checks up to a number of images meanwhile; returns how many. */
    long run(ImageCheck check, long imagesMax, long bytesMax) throws InterruptedException {
        return run(check, imagesMax, bytesMax, 0);
    }

    /** The same, but takes the first image once the log has this many bytes. */
    long run(ImageCheck check, long imagesMax, long bytesMax, long bytesBefore) throws InterruptedException {
        PoweredLog log = opener.open(storage);
        List<Thread> threads = start(log);
        try {
            while (ledger.bytes() < bytesBefore && failure.get() == null) {
                LockSupport.parkNanos(1_000_000);
            }
            do { // at least once: on a busy machine the writers may be done before this thread comes here
                takeAndCheck(log, check);
            } while (images < imagesMax && ledger.bytes() < bytesMax && failure.get() == null);
        } finally {
            stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
            log.close();
        }
        rethrow();
        return images;
    }

    private List<Thread> start(PoweredLog log) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            SplittableRandom choices = random.split();
            PoweredLog.Writer appender = log.writer();
            threads.add(start(() -> appendSome(appender, writer, choices)));
        }
        SplittableRandom choices = random.split();
        threads.add(start(() -> {
            durable.accumulateAndGet(log.sync(), Math::max);
            LockSupport.parkNanos(choices.nextLong(1_500_000));
        }));
        log.companions().forEach(companion -> threads.add(start(companion)));
        return threads;
    }

    private Thread start(Runnable action) {
        return Thread.ofPlatform().start(() -> {
            try {
                while (!stopped) {
                    running.readLock().lock();
                    try {
                        action.run();
                    } finally {
                        running.readLock().unlock();
                    }
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    private final int[] sequences = new int[WRITERS];

    private void appendSome(PoweredLog.Writer appender, int writer, SplittableRandom choices) {
        if (choices.nextInt(20) == 0) {
            appender.abandon(Message.LEAST_BYTES + choices.nextInt(3000));
        }
        int[] lengths = lengths(choices);
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            messages.add(new Message(writer, sequences[writer]++));
        }
        ledger.enter(messages, lengths, appender.append(messages, lengths));
        if (choices.nextInt(4) == 0) {
            LockSupport.parkNanos(choices.nextLong(100_000));
        }
    }

    /** Returns the lengths of one message, or of some that a batch appends in one go. */
    private static int[] lengths(SplittableRandom choices) {
        int count = choices.nextInt(8) == 0 ? 2 + choices.nextInt(30) : 1;
        int[] lengths = new int[count];
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            lengths[i] = Message.LEAST_BYTES + length(choices);
            bytes += lengths[i];
            if (bytes > BATCH_BYTES_MAX) {
                return Arrays.copyOf(lengths, i + 1);
            }
        }
        return lengths;
    }

    private static int length(SplittableRandom choices) {
        return switch (choices.nextInt(20)) {
            case 0 -> choices.nextInt(100_000);
            case 1, 2, 3 -> choices.nextInt(12_000);
            case 4, 5, 6, 7, 8 -> choices.nextInt(64);
            default -> choices.nextInt(1_500);
        };
    }

    private void takeAndCheck(PoweredLog log, ImageCheck check) {
        LockSupport.parkNanos(random.nextLong(1_200_000));
        if (random.nextInt(3) == 0) {
            power.writeBackSome(random.nextDouble());
            LockSupport.parkNanos(random.nextLong(200_000));
        }
        long promised = durable.get();
        log.beforeImage();
        PowerLossStorage image = power.image(random);
        running.writeLock().lock();
        try {
            images++;
            check.check(image, ledger.inOrder(), promised);
        } finally {
            running.writeLock().unlock();
        }
    }

    private void rethrow() {
        Throwable found = failure.get();
        if (found != null) {
            throw new IllegalStateException("a writer, the syncer or a reader failed: " + found.getMessage(), found);
        }
    }
}
