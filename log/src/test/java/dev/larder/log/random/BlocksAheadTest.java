package dev.larder.log.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.CorruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks that another thread prepares: in order, a limited number ahead, and none after the close. */
@Timeout(120)
final class BlocksAheadTest {

    private static final int COUNT = 40;

    @Test
    void areReadyWhenTheWalkComesToThem() {
        List<Integer> made = new CopyOnWriteArrayList<>();
        try (BlocksAhead blocks = new BlocksAhead(COUNT, made::add)) {
            for (int block = 0; block < COUNT; block++) {
                blocks.await(block);
                assertThat(made).contains(block).hasSizeLessThanOrEqualTo(block + 10);
            }
        }
        assertThat(made).isSorted().hasSize(COUNT);
    }

    /** A walk that spans blocks waits for the last of them. */
    @Test
    void areAllReadyBeforeALaterOne() {
        List<Integer> made = new CopyOnWriteArrayList<>();
        try (BlocksAhead blocks = new BlocksAhead(COUNT, made::add)) {
            blocks.await(25);
            assertThat(made).hasSizeGreaterThanOrEqualTo(26).isSorted();
        }
    }

    @Test
    void failWhereTheWalkComesToWhatFails() {
        try (BlocksAhead blocks = new BlocksAhead(COUNT, block -> {
            if (block == 3) {
                throw new CorruptException("block 3");
            }
        })) {
            blocks.await(0);
            blocks.await(2);
            assertThatThrownBy(() -> blocks.await(3)).isInstanceOf(CorruptException.class);
            assertThatThrownBy(() -> blocks.await(4)).hasMessage("block 3");
        }
    }

    @Test
    void areMadeByNobodyOnceTheyAreClosed() throws Exception {
        CountDownLatch inTheMidst = new CountDownLatch(1);
        Set<Thread> makers = ConcurrentHashMap.newKeySet();
        BlocksAhead blocks = new BlocksAhead(COUNT, block -> {
            makers.add(Thread.currentThread());
            if (block == 2) {
                inTheMidst.countDown();
            }
        });
        blocks.await(1);
        inTheMidst.await();
        blocks.close();
        makers.remove(Thread.currentThread());
        assertThat(makers).hasSize(1).allMatch(thread -> !thread.isAlive());
    }

    /** If no thread can be started, the walk still continues, and the walk may be what makes room. */
    @Test
    void areMadeByTheWalkerWhereNoThreadCanBeStarted() {
        List<Integer> made = new ArrayList<>();
        try (BlocksAhead blocks = new BlocksAhead(
                COUNT,
                block -> {
                    if (block == 20) {
                        throw new CorruptException("block 20");
                    }
                    made.add(block);
                },
                run -> {
                    throw new OutOfMemoryError("unable to create native thread");
                })) {
            blocks.await(0);
            blocks.await(7);
            blocks.await(19);
            assertThat(made).isEqualTo(IntStream.range(0, 20).boxed().toList());
            assertThatThrownBy(() -> blocks.await(20)).hasMessage("block 20");
            assertThatThrownBy(() -> blocks.await(21)).hasMessage("block 20");
        }
    }

    /** A walk that only looks at the first block starts no thread. */
    @Test
    void takeNoThreadForTheFirst() {
        Set<Thread> makers = ConcurrentHashMap.newKeySet();
        try (BlocksAhead blocks = new BlocksAhead(COUNT, block -> makers.add(Thread.currentThread()))) {
            blocks.await(0);
        }
        assertThat(makers).containsExactly(Thread.currentThread());
    }
}
