package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.EntryRead;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.stripe.StripeClock;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Entries reach the log in the order of their operations, whichever thread submits them. */
final class LaneTest {

    private static final int LARGE_BYTES = 256 << 10;

    private final List<Integer> log = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger submits = new AtomicInteger();
    private final CountDownLatch isHeld = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    /** A write that records its outcome. */
    private static final class Noted implements Lane.Write {

        private final Operation operation;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable String error;

        private final boolean throwing;

        Noted(int bytes) {
            this(bytes, false);
        }

        Noted(int bytes, boolean throwing) {
            this.throwing = throwing;
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
    }

    private Lane lane(boolean isFirstThrown) {
        return new Lane(
                new StripeClock(InstantSource.system()), (entry, reads) -> append(entry, isFirstThrown), Runnable::run);
    }

    /** Appends the size of an entry's first command to the log; the first append is held. */
    private CompletableFuture<ByteBuffer> append(ByteBuffer bytes, boolean isFirstThrown) {
        Entry entry = Entry.decode(bytes);
        if (submits.getAndIncrement() == 0) {
            isHeld.countDown();
            awaitEnd(release);
            if (isFirstThrown) {
                throw new AssertionError("injected");
            }
        }
        log.add(entry.operations().getFirst().calls().getFirst().request().length);
        List<Optional<List<byte[]>>> replies =
                Collections.nCopies(entry.operations().size(), Optional.of(List.of(new byte[0])));
        return CompletableFuture.completedFuture(new Replies(replies).encode());
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

    /** A session that has just ended throws. Regression: the writes behind it in the entry waited for ever. */
    @Test
    void aWriteThatCannotBeToldLeavesTheOthersOfItsEntryUnharmed() throws InterruptedException {
        Lane lane = lane(false);
        Noted held = new Noted(1);
        Noted first = new Noted(2, true);
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
                (entry, reads) -> CompletableFuture.completedFuture(new Replies(List.of()).encode()),
                Runnable::run);
        Noted write = new Noted(1);
        lane.submit(write);
        assertThat(write.ended.getCount()).isZero();
        assertThat(write.error).startsWith("CLUSTERDOWN The write may have been done");
    }
}
