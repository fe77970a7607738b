package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls with objects of another queue, of a closed one, or with values out of range. */
@Timeout(120)
final class QueueArgumentsTest {

    @TempDir
    Path directory;

    interface Ticks {
        void tick();
    }

    private static void names(String what, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(what);
    }

    @Test
    void aTailerOfAnotherQueueIsRefused() {
        Path here = directory.resolve("here");
        Path there = directory.resolve("there");
        try (LarderQueue queue = TestQueues.open(here);
                LarderQueue other = TestQueues.open(there);
                Tailer tailer = other.tailer()) {
            for (ThrowingCallable call : new ThrowingCallable[] {
                () -> queue.typed(tailer, Codec.longs()),
                () -> queue.methodReader(tailer, Ticks.class, () -> {}, MethodHandles.lookup()),
                () -> QueueCopy.write(queue, tailer, new ByteArrayOutputStream())
            }) {
                assertThatIllegalArgumentException()
                        .isThrownBy(call)
                        .withMessage("the tailer is of queue " + there + ", not of " + here);
            }
            try (LarderQueue second = TestQueues.open(there)) {
                assertThat(second.typed(tailer, Codec.longs()).next()).isEmpty(); // it is the same queue
            }
        }
    }

    @Test
    void aClosedQueueAppendsNothingEvenIfItIsOpenElsewhere() {
        try (LarderQueue other = TestQueues.open(directory)) {
            LarderQueue queue = TestQueues.open(directory);
            queue.append("one");
            queue.close();
            assertThatThrownBy(() -> queue.append("two")).isInstanceOf(ClosedException.class);
            assertThatThrownBy(queue::tailer).isInstanceOf(ClosedException.class);
            assertThat(TestQueues.texts(other)).containsExactly("one");
        }
    }

    @Test
    void saysWhereItBeginsAndEnds() {
        try (LarderQueue queue = TestQueues.open(directory)) {
            long first = queue.append("one");
            assertThat(queue.directory()).isEqualTo(directory);
            assertThat(queue.firstPosition()).isEqualTo(queue.info().firstPosition());
            assertThat(queue.endPosition())
                    .isEqualTo(queue.info().endPosition())
                    .isGreaterThan(first);
        }
    }

    @Test
    void aClosedBatchRefusesEachCall() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender();
                TypedAppender<Long> longs = queue.appender(Codec.longs())) {
            Batch batch = appender.batch();
            batch.close();
            TypedBatch<Long> typed = longs.batch();
            typed.close();
            byte[] bytes = new byte[1];
            for (ThrowingCallable call : new ThrowingCallable[] {
                () -> batch.add(bytes),
                () -> batch.add(bytes, 0, 1),
                () -> batch.add(MemorySegment.ofArray(bytes)),
                () -> batch.add("text"),
                () -> batch.add(1, (segment, offset, length) -> {}),
                batch::flush,
                () -> typed.add(1L),
                typed::flush
            }) {
                assertThatThrownBy(call).isInstanceOf(ClosedException.class).hasMessageContaining(directory.toString());
            }
        }
    }

    @Test
    void theValuesOfATailerDoNotSplit() {
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Long> longs = queue.appender(Codec.longs());
                TypedTailer<Long> tailer = queue.tailer(Codec.longs())) {
            longs.append(1L);
            longs.append(2L);
            assertThat(tailer.spliterator().trySplit()).isNull();
            assertThat(tailer.position()).isEqualTo(queue.firstPosition());
        }
    }

    @Test
    void aNegativeLimitIsRefused() {
        try (LarderQueue queue = TestQueues.open(directory);
                Tailer tailer = queue.tailer();
                TypedTailer<Long> typed = queue.tailer(Codec.longs())) {
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.drain((segment, offset, length) -> {}, -1));
            assertThatIllegalArgumentException().isThrownBy(() -> typed.drain(value -> {}, -1));
            assertThatIllegalArgumentException().isThrownBy(() -> typed.drainBackward(value -> {}, -1));
        }
    }

    /** A reader that nobody can close would hold the files from its position on. */
    @Test
    void aMethodReaderThatCannotBeMadeHoldsNoFile() {
        LogOptions options = TestQueues.options()
                .withLayout(layout -> layout.withLargestSegmentBytes(64 << 10).withFirstSegmentBytes(64 << 10));
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            queue.append("one");
            assertThatIllegalArgumentException().isThrownBy(() -> queue.methodReader(Runnable.class, () -> {}));
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
                for (int i = 0; i < 10; i++) {
                    queue.append(new byte[10_000]);
                }
                queue.dropBefore(queue.endPosition());
                return queue.counters().getOrDefault(LogCounter.RECYCLED, 0L) > 0;
            });
        }
    }

    @Test
    void aRepairOfAPathWithoutAQueueSaysSoAndMakesNoTarget() throws Exception {
        Path target = directory.resolve("target");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("notes.txt"), "no queue");
        for (Path damaged : new Path[] {directory.resolve("mistyped"), empty, other}) {
            assertThatThrownBy(() -> QueueRepair.repair(damaged, target, TestQueues.options()))
                    .isInstanceOf(LarderException.class)
                    .hasMessage(damaged + ": there is no log here");
            assertThat(target).doesNotExist();
        }
    }

    @Test
    void pausesOfAReplicationAreInTheirRange() {
        ReplicationOptions options = ReplicationOptions.defaults();
        assertThat(options.withPauses(Duration.ofDays(1), Duration.ofDays(1)).longestPause())
                .isEqualTo(Duration.ofDays(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withPauses(
                        Duration.ofMillis(1), Duration.ofDays(1).plusNanos(1)))
                .withMessageContaining("at most 1 day");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.withPauses(Duration.ofMillis(1), Duration.ofSeconds(Long.MAX_VALUE)));
    }

    @Test
    @SuppressWarnings("NullAway") // what the annotations forbid
    void nullIsRefusedByName() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        RemoteQueue remote = new RemoteQueue(address, ConnectionSecurity.none());
        LogOptions options = TestQueues.options();
        ReplicationOptions replication = ReplicationOptions.defaults();
        names("address", () -> new RemoteQueue(null, ConnectionSecurity.none()));
        names("security", () -> new RemoteQueue(address, null));
        names("firstPause", () -> replication.withPauses(null, Duration.ofDays(1)));
        names("longestPause", () -> replication.withPauses(Duration.ofDays(1), null));
        names("retryPause", () -> ConsumerOptions.defaults().withRetries(1, null));
        names("threads", () -> ConsumerOptions.defaults().withThreads(null));
        names("source", () -> QueueReplication.start(null, directory, options, replication));
        names("target", () -> QueueReplication.start(remote, null, options, replication));
        names("options", () -> QueueReplication.start(remote, directory, null, replication));
        names("replication", () -> QueueReplication.start(remote, directory, options, null));
        try (LarderQueue queue = TestQueues.open(directory);
                Tailer tailer = queue.tailer();
                MethodReader reader = queue.methodReader(tailer, Ticks.class, () -> {}, MethodHandles.lookup())) {
            names("listener", () -> reader.onUnknown(null));
        }
    }
}
