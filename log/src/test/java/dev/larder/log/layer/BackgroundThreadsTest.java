package dev.larder.log.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of many owners on few threads. The clock stands still: a task runs when it is woken, or the test advances the clock. */
@Timeout(120)
final class BackgroundThreadsTest {

    private static final System.Logger SILENT = System.getLogger("silent");
    private static final long LOOK_NANOS = 1000;
    private static final long LONG_NANOS = 1_000_000_000_000L;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger starts = new AtomicInteger();
    private final List<BackgroundTask> tasks = new ArrayList<>();
    private BackgroundThreads threads = threads(8, LONG_NANOS);

    private BackgroundThreads threads(int most, long spareNanos) {
        return new BackgroundThreads(
                most,
                spareNanos,
                LOOK_NANOS,
                work -> new Thread(work) {
                    @Override
                    public void start() {
                        starts.incrementAndGet();
                        if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        super.start();
                    }
                },
                now::get);
    }

    private BackgroundTask task(LongSupplier round) {
        BackgroundTask task = new BackgroundTask(threads, new Duty("task", SILENT), round);
        tasks.add(task);
        return task;
    }

    /** A task that counts its rounds, and waits to be woken after each. */
    private final class Counting {
        private final AtomicInteger rounds = new AtomicInteger();
        private final BackgroundTask task = task(() -> {
            rounds.incrementAndGet();
            return BackgroundTask.UNTIL_WOKEN;
        });

        Counting started() {
            task.start();
            return this;
        }

        void awaitRounds(int least) {
            awaited().until(() -> rounds.get() >= least);
        }
    }

    /** A task whose round hangs until it is released. */
    private final class Hanging {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final BackgroundTask task = task(() -> {
            begun.countDown();
            await(released);
            return BackgroundTask.UNTIL_WOKEN;
        });

        Hanging started() {
            task.start();
            return this;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ConditionFactory awaited() {
        return org.awaitility.Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .dontCatchUncaughtExceptions();
    }

    @AfterEach
    void leavesNoThread() {
        tasks.forEach(BackgroundTask::stop);
        assertThat(threads.tasks()).isZero();
        awaited().until(() -> threads.threads() == 0);
    }

    @Test
    void aThousandTasksTakeOneThreadWhileTheyWait() {
        threads = threads(8, 1);
        List<Counting> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(new Counting().started());
        }
        many.forEach(task -> task.awaitRounds(1));
        awaited().until(() -> threads.threads() == 1);
    }

    @Test
    void roundsThatHangHoldUpNoOther() {
        List<Hanging> hanging = new ArrayList<>();
        Counting other = new Counting().started();
        for (int i = 0; i < 7; i++) {
            hanging.add(new Hanging().started());
        }
        hanging.forEach(task -> await(task.begun));
        other.awaitRounds(1);
        for (int round = other.rounds.get() + 1; round < 20; round++) {
            other.task.wake();
            other.awaitRounds(round);
        }
        assertThat(threads.threads()).isLessThanOrEqualTo(8);
        hanging.forEach(task -> task.released.countDown());
    }

    @Test
    void thereAreNoMoreThreadsThanTheBound() {
        List<Hanging> hanging = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            hanging.add(new Hanging().started());
        }
        hanging.forEach(task -> await(task.begun));
        Counting other = new Counting().started();
        assertThat(threads.threads()).isEqualTo(8);
        assertThat(other.rounds).hasValue(0);
        hanging.get(0).released.countDown();
        other.awaitRounds(1);
        hanging.forEach(task -> task.released.countDown());
    }

    @Test
    void theTaskThatIsDueFirstRunsFirst() {
        threads = threads(1, LONG_NANOS);
        Hanging hanging = new Hanging().started();
        await(hanging.begun);
        List<Integer> order = new ArrayList<>();
        List<Integer> wanted = new ArrayList<>();
        List<BackgroundTask> numbered = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            BackgroundTask task = task(() -> {
                synchronized (order) {
                    order.add(number);
                }
                return BackgroundTask.UNTIL_WOKEN;
            });
            task.start();
            numbered.add(task);
            wanted.add(i);
        }
        Collections.shuffle(wanted, new Random(1));
        for (int number : wanted) {
            now.incrementAndGet();
            numbered.get(number).wake();
        }
        numbered.get(wanted.remove(/* index */ 50)).stop();
        hanging.released.countDown();
        awaited().until(() -> {
            synchronized (order) {
                return order.size() == wanted.size();
            }
        });
        assertThat(order).isEqualTo(wanted);
    }

    @Test
    void aTaskRunsAgainWhenItsTimeHasCome() {
        AtomicInteger rounds = new AtomicInteger();
        BackgroundTask task = task(() -> {
            rounds.incrementAndGet();
            return 10;
        });
        task.start();
        for (int round = 1; round < 10; round++) {
            int wanted = round;
            awaited().until(() -> now.addAndGet(10) > 0 && rounds.get() >= wanted);
        }
    }

    /** A task that waits to be woken after each round, and looks for work now and then. */
    private final class Looking {
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicInteger looks = new AtomicInteger();
        private final AtomicBoolean something = new AtomicBoolean();
        private final BackgroundTask task = new BackgroundTask(
                threads,
                new Duty("task", SILENT),
                () -> {
                    rounds.incrementAndGet();
                    return BackgroundTask.UNTIL_WOKEN;
                },
                () -> {
                    looks.incrementAndGet();
                    return something.getAndSet(false);
                },
                LOOK_NANOS);

        Looking started() {
            tasks.add(task);
            task.start();
            return this;
        }

        /** Advances the clock until the task has looked at least that often. */
        void awaitLooks(int least) {
            awaited().until(() -> now.addAndGet(LOOK_NANOS / 10) > 0 && looks.get() >= least);
        }
    }

    /** Each look had called a further thread: a process of many idle logs kept two. */
    @Test
    void theLooksOfAThousandTasksAreOneThreadsWork() {
        threads = threads(8, 1);
        List<Looking> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(new Looking().started());
        }
        awaited().until(() -> many.stream().allMatch(task -> task.rounds.get() == 1) && threads.threads() == 1);
        int before = starts.get();
        for (int look = 1; look < 20; look++) {
            int wanted = look;
            many.forEach(task -> task.awaitLooks(wanted));
        }
        assertThat(starts).hasValue(before);
        assertThat(many).allMatch(task -> task.rounds.get() == 1);
    }

    @Test
    void aLookThatFindsSomethingIsFollowedByARound() {
        Looking looking = new Looking().started();
        for (int round = 1; round < 10; round++) {
            int wanted = round;
            awaited().until(() -> looking.rounds.get() >= wanted);
            looking.awaitLooks(looking.looks.get() + 2);
            assertThat(looking.rounds).hasValue(round);
            looking.something.set(true);
            looking.awaitLooks(looking.looks.get() + 1);
        }
        awaited().until(() -> looking.rounds.get() == 10);
    }

    /** Thousands of tasks that were started one after the other wake the thread once a second. */
    @Test
    void looksComeAtTheSameTime() {
        List<Looking> many = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Looking looking = new Looking().started();
            awaited().until(() -> looking.rounds.get() == 1 && looking.task.place != DueTasks.NOWHERE);
            many.add(looking);
            now.addAndGet(LOOK_NANOS / 10);
        }
        assertThat(many).allMatch(task -> task.looks.get() == 0 && task.task.dueNanos == LOOK_NANOS);
    }

    @Test
    void anErrorOfALookTouchesNoOther() {
        AtomicInteger looks = new AtomicInteger();
        BackgroundTask failing = new BackgroundTask(
                threads,
                new Duty("task", SILENT),
                () -> BackgroundTask.UNTIL_WOKEN,
                () -> {
                    looks.incrementAndGet();
                    throw new InternalError("a page that cannot be read");
                },
                LOOK_NANOS);
        tasks.add(failing);
        failing.start();
        Looking other = new Looking().started();
        for (int look = 1; look < 10; look++) {
            other.awaitLooks(look);
        }
        awaited().until(() -> now.addAndGet(LOOK_NANOS / 10) > 0 && looks.get() >= 10);
        assertThat(other.rounds).hasValue(1);
    }

    /** A wake during a round must not be lost: the work that it announces may have come after the round had looked. */
    @Test
    void aTaskThatIsWokenInItsRoundRunsOnceMore() {
        Hanging hanging = new Hanging().started();
        await(hanging.begun);
        Counting counted = new Counting();
        BackgroundTask[] self = new BackgroundTask[1];
        self[0] = task(() -> {
            if (counted.rounds.incrementAndGet() == 1) {
                self[0].wake();
            }
            return BackgroundTask.UNTIL_WOKEN;
        });
        self[0].start();
        counted.awaitRounds(2);
        hanging.released.countDown();
    }

    @Test
    void anErrorOfOneTaskTouchesNoOther() {
        AtomicBoolean well = new AtomicBoolean();
        AtomicInteger thrown = new AtomicInteger();
        BackgroundTask failing = task(() -> {
            if (!well.get()) {
                thrown.incrementAndGet();
                throw thrown.get() % 2 == 0 ? new StackOverflowError() : new OutOfMemoryError("Java heap space");
            }
            return BackgroundTask.UNTIL_WOKEN;
        });
        failing.start();
        Counting other = new Counting().started();
        for (int round = 1; round < 10; round++) {
            int wanted = round;
            awaited().until(() -> now.addAndGet(Duty.REST_NANOS) > 0 && thrown.get() >= wanted);
            int before = other.rounds.get();
            other.task.wake();
            other.awaitRounds(before + 1);
        }
        well.set(true);
    }

    @Test
    void aFirstThreadThatCannotBeStartedIsAnErrorThatLeavesNothing() {
        refusals.set(1);
        Counting counting = new Counting();
        assertThatThrownBy(counting::started).isInstanceOf(OutOfMemoryError.class);
        assertThat(threads.tasks()).isZero();
        assertThat(threads.threads()).isZero();
        counting.started().awaitRounds(1);
    }

    /** The existing threads continue alone; a caller that wakes a task gets no error, and tries again. */
    @Test
    void aFurtherThreadThatCannotBeStartedIsTriedAgain() {
        refusals.set(0);
        Counting other = new Counting().started();
        other.awaitRounds(1);
        refusals.set(3);
        Hanging hanging = new Hanging().started();
        await(hanging.begun);
        awaited().until(() -> {
            other.task.wake();
            return other.rounds.get() > 1;
        });
        assertThat(refusals).hasValue(0);
        hanging.released.countDown();
    }

    @Test
    void whoStopsATaskWaitsForItsRound() throws InterruptedException {
        Hanging hanging = new Hanging().started();
        await(hanging.begun);
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicBoolean released = new AtomicBoolean();
        AtomicBoolean waited = new AtomicBoolean();
        Thread stopper = new Thread(() -> {
            Thread.currentThread().interrupt();
            hanging.task.stop();
            waited.set(released.get());
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        stopper.start();
        awaited().until(hanging.task::isStopped);
        released.set(true);
        hanging.released.countDown();
        stopper.join();
        assertThat(waited).isTrue();
        assertThat(interrupted).isTrue();
    }

    @Test
    void aTaskThatIsStoppedRunsNeverAgain() {
        Counting counting = new Counting().started();
        counting.awaitRounds(1);
        counting.task.stop();
        int rounds = counting.rounds.get();
        counting.task.wake();
        Counting later = new Counting().started();
        later.awaitRounds(1);
        assertThat(counting.rounds).hasValue(rounds);
    }

    @Test
    void aTaskMayStopItself() {
        BackgroundTask[] self = new BackgroundTask[1];
        AtomicInteger rounds = new AtomicInteger();
        self[0] = task(() -> {
            self[0].stop();
            rounds.incrementAndGet();
            return 0;
        });
        self[0].start();
        awaited().until(() -> rounds.get() == 1 && threads.threads() == 0);
    }

    /** Tasks that come, run, are woken and go, on several threads at once. */
    @Test
    void tasksComeAndGo() throws InterruptedException {
        threads = threads(4, 100_000);
        List<Thread> owners = new ArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(i);
            Thread owner = new Thread(() -> {
                for (int turn = 0; turn < 300; turn++) {
                    AtomicInteger inside = new AtomicInteger();
                    AtomicInteger rounds = new AtomicInteger();
                    BackgroundTask task = new BackgroundTask(threads, new Duty("task", SILENT), () -> {
                        failures.addAndGet(inside.getAndIncrement()); // two rounds at once
                        rounds.incrementAndGet();
                        inside.decrementAndGet();
                        return random.nextBoolean() ? 0 : BackgroundTask.UNTIL_WOKEN;
                    });
                    task.start();
                    int wanted = random.nextInt(5);
                    long end = System.nanoTime() + PATIENCE_NANOS;
                    while (rounds.get() < wanted && System.nanoTime() - end < 0) {
                        task.wake();
                        Thread.onSpinWait();
                    }
                    failures.addAndGet(rounds.get() < wanted ? 1 : 0);
                    task.stop();
                    failures.addAndGet(inside.get());
                }
            });
            owner.start();
            owners.add(owner);
        }
        for (Thread owner : owners) {
            owner.join();
        }
        assertThat(failures).hasValue(0);
    }
}
