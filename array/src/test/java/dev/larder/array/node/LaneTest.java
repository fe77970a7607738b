package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.EntryRead;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.ratis.RefusedEntry;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StripeClock;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Entries reach the log in the order of their operations, whichever thread submits them. */
final class LaneTest {

    private static final int LARGE_BYTES = 256 << 10;

    /** A command of this size is refused. */
    private static final int REFUSED_BYTES = 7;

    private final List<Integer> log = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger submits = new AtomicInteger();
    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /** A write that records its outcome. */
    private static class Noted implements Lane.Write {

        private final Operation operation;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable String error;

        private final boolean throwing;
        private final WriteOrder order;

        Noted(int bytes) {
            this(bytes, false, new WriteOrder());
        }

        Noted(int bytes, boolean throwing, WriteOrder order) {
            this.throwing = throwing;
            this.order = order;
            this.operation = Operation.of(new EntryCall(2, new byte[bytes]));
        }

        @Override
        public Operation operation() {
            return operation;
        }

        @Override
        public List<EntryRead> reads() {
            return List.of();
        }

        @Override
        public void replied(Optional<List<byte[]>> all) {
            if (throwing) {
                throw new IllegalStateException("injected");
            }
            ended.countDown();
        }

        @Override
        public void failed(String line) {
            error = line;
            ended.countDown();
        }

        @Override
        public void refused() {
            failed("refused");
        }

        @Override
        public void beginRefusal() {
            order.breakOff();
        }

        @Override
        public boolean isBehindRefusal() {
            return order.isBroken();
        }
    }

    /** A log in one term. */
    private record FixedLog(
            long servedTerm,
            BiFunction<Long, ByteBuffer, CompletableFuture<ByteBuffer>> receiver,
            BiConsumer<Long, Runnable> redirections)
            implements Lane.Log {
        @Override
        public CompletableFuture<ByteBuffer> submit(long term, ByteBuffer entry, EntryReads reads) {
            return receiver.apply(term, entry);
        }

        @Override
        public void onceLedAnew(long term, Runnable task) {
            redirections.accept(term, task);
        }
    }

    private Lane lane(boolean isFirstThrown) {
        return new Lane(
                new StripeClock(InstantSource.system()),
                new FixedLog(1, (term, entry) -> append(entry, isFirstThrown), (term, task) -> task.run()));
    }

    /** Appends the size of an entry's first command to the log; the first append is held. */
    private CompletableFuture<ByteBuffer> append(ByteBuffer bytes, boolean isFirstThrown) {
        Entry entry = Entry.decode(bytes);
        if (size(entry) == REFUSED_BYTES) {
            return CompletableFuture.failedFuture(RefusedEntry.refusal());
        }
        if (submits.getAndIncrement() == 0) {
            isHeld.countDown();
            awaitEnd(release);
            if (isFirstThrown) {
                throw new AssertionError("injected");
            }
        }
        log.add(size(entry));
        List<Optional<List<byte[]>>> replies =
                Collections.nCopies(entry.operations().size(), Optional.of(List.of(new byte[0])));
        return CompletableFuture.completedFuture(new Replies(replies).encode());
    }

    /** Returns the size of an entry's first command. */
    private static int size(Entry entry) {
        return entry.operations().getFirst().calls().getFirst().request().length;
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLargeGroupDoesNotOvertakeTheOneThatIsBeingSubmitted() throws InterruptedException {
        Lane lane = lane(false);
        Noted first = new Noted(1);
        Noted second = new Noted(LARGE_BYTES);
        Noted third = new Noted(LARGE_BYTES + 1);
        Thread held = Thread.ofPlatform().start(() -> lane.submit(first));
        isHeld.await();
        lane.submit(second);
        lane.submit(third);
        release.countDown();
        held.join();
        for (Noted write : List.of(first, second, third)) {
            write.ended.await();
            assertThat(write.error).isNull();
        }
        assertThat(log).containsExactly(1, LARGE_BYTES, LARGE_BYTES + 1);
    }

    @Test
    void aSubmitThatThrowsLeavesTheGroupsBehindItsOwnUnharmed() throws InterruptedException {
        Lane lane = lane(true);
        Noted first = new Noted(1);
        Noted second = new Noted(LARGE_BYTES);
        Thread held = Thread.ofPlatform().start(() -> lane.submit(first));
        isHeld.await();
        lane.submit(second);
        release.countDown();
        held.join();
        second.ended.await();
        assertThat(first.error).startsWith("CLUSTERDOWN The write may have been done");
        assertThat(second.error).isNull();
        assertThat(log).containsExactly(LARGE_BYTES);
    }

    /** Regression: no entry of the stripe was submitted any more. */
    @Test
    void aClockThatThrowsFailsTheGroupAlone() throws InterruptedException {
        requireOnlyFirstFails(
                () -> {
                    throw new OutOfMemoryError("injected");
                },
                new Noted(1));
    }

    /** Regression: the same, where a list was made. */
    @Test
    void aGroupThatCannotBeDividedFailsAlone() throws InterruptedException {
        requireOnlyFirstFails(() -> {}, new Noted(1, false, new WriteOrder()) {
            @Override
            public boolean isBehindRefusal() {
                throw new OutOfMemoryError("injected");
            }
        });
    }

    /** Requires that a write fails, and that later ones do not. */
    private void requireOnlyFirstFails(Runnable firstTime, Noted first) throws InterruptedException {
        release.countDown();
        AtomicInteger looks = new AtomicInteger();
        StripeClock clock = new StripeClock(() -> {
            if (looks.getAndIncrement() == 0) {
                firstTime.run();
            }
            return Instant.now();
        });
        Lane lane = new Lane(clock, new FixedLog(1, (term, entry) -> append(entry, false), (term, task) -> task.run()));
        try {
            lane.submit(first);
        } catch (OutOfMemoryError e) { // as before
            assertThat(e).hasMessage("injected");
        }
        for (int bytes = 2; bytes < 5; bytes++) {
            Noted later = new Noted(bytes);
            lane.submit(later);
            assertThat(later.ended.await(10, TimeUnit.SECONDS))
                    .as("%d bytes", bytes)
                    .isTrue();
            assertThat(later.error).isNull();
        }
        assertThat(first.error).startsWith("CLUSTERDOWN The write may have been done");
        assertThat(log).containsExactly(2, 3, 4);
    }

    /** A session that has just ended throws. Regression: the writes behind it in the entry waited for ever. */
    @Test
    void aWriteThatCannotBeToldLeavesTheOthersOfItsEntryUnharmed() throws InterruptedException {
        Lane lane = lane(false);
        Noted held = new Noted(1);
        Noted first = new Noted(2, true, new WriteOrder());
        Noted second = new Noted(3);
        Thread holding = Thread.ofPlatform().start(() -> lane.submit(held));
        isHeld.await();
        lane.submit(first);
        lane.submit(second);
        release.countDown();
        holding.join();
        second.ended.await();
        assertThat(log).as("one entry").containsExactly(1, 2);
        assertThat(second.error).isNull();
    }

    /** A member gives no replies for an entry whose effects it already has. */
    @Test
    void writesWhoseEntryHasNoRepliesFail() {
        Lane lane = new Lane(
                new StripeClock(InstantSource.system()),
                new FixedLog(
                        1,
                        (term, entry) -> CompletableFuture.completedFuture(new Replies(List.of()).encode()),
                        (term, task) -> task.run()));
        Noted write = new Noted(1);
        lane.submit(write);
        assertThat(write.ended.getCount()).isZero();
        assertThat(write.error).startsWith("CLUSTERDOWN The write may have been done");
    }

    /** A leader that is elected while the time is taken may have answered reads at a later time. */
    @Test
    void theTermOfAnEntryIsReadBeforeItsTime() {
        AtomicLong now = new AtomicLong(1);
        List<Long> terms = new ArrayList<>();
        StripeClock clock = new StripeClock(() -> Instant.ofEpochMilli(now.incrementAndGet()));
        Lane.Log changing = new Lane.Log() {
            @Override
            public long servedTerm() {
                return now.get();
            }

            @Override
            public CompletableFuture<ByteBuffer> submit(long term, ByteBuffer entry, EntryReads reads) {
                terms.add(term);
                return append(entry, false);
            }

            @Override
            public void onceLedAnew(long term, Runnable task) {
                task.run();
            }
        };
        release.countDown();
        new Lane(clock, changing).submit(new Noted(1));
        assertThat(terms).containsExactly(1L);
    }

    /** A transfer of leadership fails: the entry with the first write was refused, and the next entry is not. */
    @Test
    void aWriteThatIsBehindARefusedOneOfItsClientIsRefusedToo() throws InterruptedException {
        Map<Long, Runnable> redirections = new HashMap<>();
        Lane lane = new Lane(
                new StripeClock(InstantSource.system()),
                new FixedLog(7, (term, entry) -> append(entry, false), redirections::put));
        WriteOrder order = new WriteOrder();
        Noted first = new Noted(REFUSED_BYTES, false, order);
        lane.submit(first);
        Noted second = new Noted(2, false, order);
        Noted third = new Noted(3);
        release.countDown();
        lane.submit(second);
        lane.submit(third);
        second.ended.await();
        third.ended.await();
        assertThat(second.error).isEqualTo("refused");
        assertThat(third.error).as("another client's write").isNull();
        assertThat(first.ended.getCount()).as("another leader is awaited").isOne();
        assertThat(redirections).containsOnlyKeys(7L);
        redirections.values().forEach(Runnable::run);
        assertThat(first.error).isEqualTo("refused");
        assertThat(log).containsExactly(3);
    }
}
