package dev.larder.map.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.map.TestIndex;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A number that was too high becomes exact while writers keep changing it. */
@Timeout(120)
final class LiveBytesTest {

    private static final int WRITERS = 3;
    private static final long FROM = 1 << 20;
    private static final long SIZE = 40;

    @TempDir
    Path folder;

    @Test
    void becomesExactBesideWriters() throws IOException, InterruptedException {
        int rounds = Effort.of(100, 400, 5000);
        for (int round = 0; round < rounds; round++) {
            Path directory = Files.createDirectories(folder.resolve("round" + round));
            try (TestIndex index = new TestIndex(directory, 1)) {
                becomesExact(index.enter(TestIndex.OWNER));
            }
        }
    }

    private static void becomesExact(TestIndex.Member process) throws InterruptedException {
        LiveBytes live = process.live;
        live.add(12_345); // part of it counts twice
        live.doubt(FROM);
        live.changed(FROM - 8, SIZE, FROM + 8, 2 * SIZE);
        AtomicBoolean stopped = new AtomicBoolean();
        CountDownLatch running = new CountDownLatch(WRITERS);
        List<CompletableFuture<Long>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(OtherThread.call(() -> putUntil(stopped, process, running)));
        }
        assertThat(running.await(1, TimeUnit.MINUTES)).isTrue();
        long before = live.apartFrom();
        process.changes.awaitOthers();
        live.cleanedTo(FROM);
        stopped.set(true);
        long put = writers.stream().mapToLong(CompletableFuture::join).sum();
        assertThat(before).isEqualTo(FROM);
        assertThat(live.apartFrom()).isZero();
        assertThat(live.get()).isEqualTo(2 * SIZE + put);
    }

    private static long putUntil(AtomicBoolean stopped, TestIndex.Member process, CountDownLatch running) {
        long position = FROM;
        long put = 0;
        running.countDown();
        while (!stopped.get()) {
            int line = process.changes.pin();
            process.live.changed(-1, 0, position += SIZE, SIZE);
            process.changes.unpin(line);
            put += SIZE;
        }
        return put;
    }
}
