package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.tests.support.OtherThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class GrowingKeysTest {

    private static final int THREADS = 4;
    private static final long START = 10;

    @Test
    void numbersFollowOneAnotherAndEndWhereTheRoomDoes() {
        GrowingKeys keys = new GrowingKeys(3, 5);
        assertThat(keys.take()).isEqualTo(3);
        assertThat(keys.isFull()).isFalse();
        assertThat(keys.take()).isEqualTo(4);
        assertThat(keys.isFull()).isTrue();
        assertThat(keys.take()).isEqualTo(GrowingKeys.NONE);
        keys.put(3);
        keys.put(4);
        assertThat(keys.count()).isEqualTo(5);
        assertThat(keys.take()).isEqualTo(GrowingKeys.NONE);
    }

    /** A key counts once all keys before it are there. */
    @Test
    void nothingIsDrawnBehindAGap() {
        GrowingKeys keys = new GrowingKeys(3, 100);
        long held = keys.take();
        long ahead = keys.take();
        keys.put(ahead);
        assertThat(keys.count()).isEqualTo(3);
        assertThat(keys.at(Long.MAX_VALUE)).isEqualTo(2);
        keys.put(held);
        assertThat(keys.count()).isEqualTo(5);
        assertThat(keys.at(Long.MAX_VALUE)).isEqualTo(4);
    }

    /** While a thread is held up for ever, the other threads continue for some time, but not beyond a limit. */
    @Test
    void whoIsHeldUpForTooLongEndsTheGrowth() {
        GrowingKeys keys = new GrowingKeys(START, Long.MAX_VALUE);
        long held = keys.take();
        for (int i = 1; i < GrowingKeys.AHEAD; i++) {
            keys.put(keys.take());
        }
        assertThat(keys.take()).isEqualTo(GrowingKeys.NONE);
        assertThat(keys.count()).isEqualTo(START);
        keys.put(held);
        assertThat(keys.count()).isEqualTo(START + GrowingKeys.AHEAD);
        assertThat(keys.take()).isEqualTo(START + GrowingKeys.AHEAD);
    }

    /** Each number is taken once, and none is left out. A thread finds each key that it draws, however threads are held up. */
    @Test
    void threadsShareOneSequence() {
        long most = START + 10L * GrowingKeys.AHEAD;
        GrowingKeys keys = new GrowingKeys(START, most);
        Set<Long> map = ConcurrentHashMap.newKeySet();
        for (long key = 0; key < START; key++) {
            map.add(key);
        }
        AtomicLong missed = new AtomicLong();
        AtomicLong twice = new AtomicLong();
        AtomicBoolean failed = new AtomicBoolean();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            SplittableRandom random = new SplittableRandom(thread);
            threads.add(OtherThread.run(() -> grow(keys, map, random, missed, twice, failed))
                    .whenComplete((done, error) -> failed.compareAndSet(false, error != null)));
        }
        threads.forEach(CompletableFuture::join);
        assertThat(twice).hasValue(0);
        assertThat(missed).hasValue(0);
        assertThat(keys.count()).isEqualTo(most);
        assertThat(map).hasSize((int) most);
    }

    private static void grow(
            GrowingKeys keys,
            Set<Long> map,
            SplittableRandom random,
            AtomicLong missed,
            AtomicLong twice,
            AtomicBoolean failed) {
        while (!keys.isFull() && !failed.get()) {
            long number = keys.take();
            if (number == GrowingKeys.NONE) {
                continue;
            }
            if (random.nextInt(1000) == 0) {
                Thread.yield(); // as if it were held up
            }
            twice.addAndGet(map.add(number) ? 0 : 1);
            keys.put(number);
            missed.addAndGet(map.contains(keys.count() - 1) && map.contains(keys.at(random.nextLong() >>> 1)) ? 0 : 1);
        }
    }

    /** All keys are drawn, from the first to the last, each about equally often. */
    @Test
    void drawsEachKeyAsOftenAsAnyOther() {
        GrowingKeys keys = new GrowingKeys(10, 10);
        int[] drawn = new int[10];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            drawn[(int) keys.at(random.nextLong() >>> 1)]++;
        }
        assertThat(drawn).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(850, 1150);
            }
        });
        assertThat(keys.at(0)).isZero();
    }

    @Test
    void refusesLessRoomThanThereAreKeys() {
        assertThatThrownBy(() -> new GrowingKeys(10, 9)).hasMessageContaining("10 keys, and at most 9");
    }
}
