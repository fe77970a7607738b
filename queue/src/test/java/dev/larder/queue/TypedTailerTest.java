package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.log.FellBehindException;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.memory.ClosedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Typed values in all the ways of reading messages, and when they count as handled. */
@Timeout(300)
final class TypedTailerTest {

    private static final Codec<Long> LONGS = Codec.longs();

    @TempDir
    Path directory;

    private LarderQueue filled(long values) {
        LarderQueue queue = TestQueues.open(directory);
        append(queue, 0, values);
        return queue;
    }

    private static void append(LarderQueue queue, long from, long to) {
        try (TypedAppender<Long> appender = queue.appender(LONGS)) {
            for (long value = from; value < to; value++) {
                appender.append(value);
            }
        }
    }

    private static long committed(LarderQueue queue) {
        return queue.tailers().getFirst().sequence().orElseThrow();
    }

    @Test
    void goesWhereATailerGoes() {
        Instant before = Instant.now().minusSeconds(1);
        try (LarderQueue queue = filled(10);
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            assertThat(tailer.toSequence(7).next()).contains(7L);
            assertThat(tailer.sequence()).isEqualTo(8);
            assertThat(tailer.toTime(before).next()).contains(0L);
            assertThat(tailer.toTime(Instant.now().plusSeconds(3600)).next()).isEmpty();
            long end = tailer.position();
            assertThat(tailer.toStart().next()).contains(0L);
            assertThat(tailer.moveTo(end).sequence()).isEqualTo(10);
            assertThatIllegalStateException().isThrownBy(tailer::commit).withMessageContaining(directory.toString());
        }
    }

    @Test
    void readsBackward() {
        try (LarderQueue queue = filled(10);
                TypedTailer<Long> tailer = queue.tailer(LONGS).toEnd()) {
            List<Long> back = new ArrayList<>();
            assertThat(tailer.pollBackward(back::add)).isTrue();
            assertThat(tailer.drainBackward(back::add, 3)).isEqualTo(3);
            assertThat(back).containsExactly(9L, 8L, 7L, 6L);
            assertThat(tailer.next()).contains(6L);
            assertThat(tailer.toStart().pollBackward(back::add)).isFalse();
        }
    }

    /** When reading backwards, the tailer is behind the message again when the error reaches the caller. */
    @Test
    void namesTheMessageThatDoesNotFitInBothDirections() {
        try (LarderQueue queue = filled(1);
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            String wrong = Position.toString(queue.append("no long"));
            append(queue, 1, 2);
            assertThat(tailer.next()).contains(0L);
            assertThatThrownBy(tailer::next)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll(directory.toString(), wrong);
            assertThat(tailer.skip()).isTrue();
            assertThatThrownBy(() -> tailer.pollBackward(value -> {}))
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll(directory.toString(), "position " + wrong + " ");
            assertThat(tailer.next()).contains(1L);
        }
    }

    /** An error of the handler stays the handler's, of whatever kind. */
    @Test
    void doesNotCallAnErrorOfTheHandlerOneOfTheMessage() {
        SchemaMismatchException own = new SchemaMismatchException("of the handler");
        try (LarderQueue queue = filled(1);
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            assertThatThrownBy(() -> tailer.poll(value -> {
                        throw own;
                    }))
                    .isSameAs(own);
        }
    }

    /** A call from inside a handler is refused, and a handler that continues after that misses nothing. */
    @Test
    void handsOnAfterACallFromInside() {
        try (LarderQueue queue = filled(3);
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            List<Long> seen = new ArrayList<>();
            tailer.drain(
                    value -> {
                        assertThatIllegalStateException().isThrownBy(() -> tailer.poll(inner -> {}));
                        seen.add(value);
                    },
                    10);
            assertThat(seen).containsExactly(0L, 1L, 2L);
        }
    }

    @Test
    void iteratesUpToTheEndAsItWas() {
        try (LarderQueue queue = filled(3);
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            List<Long> seen = new ArrayList<>();
            for (long value : tailer) {
                seen.add(value);
                append(queue, 100, 101);
            }
            assertThat(seen).containsExactly(0L, 1L, 2L);
            Iterator<Long> rest = tailer.iterator();
            assertThat(rest).toIterable().containsExactly(100L, 100L, 100L);
            append(queue, 200, 201);
            assertThat(rest.hasNext()).isFalse();
            assertThatThrownBy(rest::next).isInstanceOf(NoSuchElementException.class);
            assertThat(tailer.next()).contains(200L);
        }
    }

    /** Once, a loop that asked whether there is a next value and then stopped lost that value to the next loop. */
    @Test
    void continuesWhereALoopStoppedThatHadLookedAhead() {
        try (LarderQueue queue = filled(5);
                TypedTailer<Long> tailer = queue.tailer("name", LONGS)) {
            List<Long> seen = new ArrayList<>();
            Iterator<Long> first = tailer.iterator();
            while (first.hasNext() && seen.size() < 2) {
                seen.add(first.next());
            }
            assertThat(committed(queue)).isEqualTo(2);
            assertThat(tailer.sequence()).isEqualTo(2);
            for (long value : tailer) {
                seen.add(value);
            }
            assertThat(seen).containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }

    /** A value that was only looked at is not handled: it comes again, by each way of reading. */
    @Test
    void aLookMovesNoTailer() {
        try (LarderQueue queue = filled(5)) {
            try (TypedTailer<Long> tailer = queue.tailer("name", LONGS)) {
                Iterator<Long> looking = tailer.iterator();
                assertThat(looking.hasNext()).isTrue();
                assertThat(looking.hasNext()).isTrue();
                assertThat(tailer.next()).contains(0L);
                assertThat(looking.hasNext()).isTrue();
                assertThat(committed(queue)).isEqualTo(1);
                List<Long> polled = new ArrayList<>();
                tailer.poll(polled::add);
                assertThat(polled).containsExactly(1L);
                assertThat(looking.next()).isEqualTo(2L);
                assertThat(looking.hasNext()).isTrue();
                tailer.commit();
            }
            try (TypedTailer<Long> tailer = queue.tailer("name", LONGS)) {
                assertThat(tailer.next()).contains(3L);
            }
        }
    }

    /** The look reads no value, so a value that cannot be read is an error of {@code next}, and can be skipped. */
    @Test
    void anIteratorGoesOnBehindAMessageThatDoesNotFit() {
        try (LarderQueue queue = filled(1);
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            queue.append("no long");
            append(queue, 1, 2);
            Iterator<Long> values = tailer.iterator();
            assertThat(values.next()).isEqualTo(0L);
            assertThat(values.hasNext()).isTrue();
            assertThatThrownBy(values::next).isInstanceOf(SchemaMismatchException.class);
            assertThat(values.hasNext()).isTrue();
            assertThat(tailer.skip()).isTrue();
            assertThat(values).toIterable().containsExactly(1L);
        }
    }

    /** A message that was appended after the end is not even decoded: it may be of another type. */
    @Test
    void doesNotReadPastTheEndAsItWasWhereSegmentsEnd() {
        try (LarderQueue queue = TestQueues.open(directory);
                TypedTailer<byte[]> tailer = queue.tailer(Codec.bytes())) {
            queue.append(new byte[400_000]);
            Iterator<byte[]> one = tailer.iterator();
            for (int i = 0; i < 20; i++) {
                queue.append(new byte[400_000]); // into further segments
            }
            assertThat(one).toIterable().hasSize(1);
            assertThat(tailer.stream()).hasSize(20);
        }
    }

    @Test
    void streamsNoFurtherThanThePipelineAsks() {
        try (LarderQueue queue = filled(1000);
                TypedTailer<Long> tailer = queue.tailer(LONGS);
                Stream<Long> values = tailer.stream()) {
            assertThat(values.parallel().map(value -> value + 1).limit(3)).containsExactly(1L, 2L, 3L);
            assertThat(tailer.sequence()).isEqualTo(3);
            assertThat(tailer.stream().mapToLong(value -> value).sum()).isEqualTo(999L * 1000 / 2 - 3);
            assertThat(tailer.stream()).isEmpty();
        }
    }

    @Test
    void countsAValueAsHandledWhenTheNextOneIsAskedFor() {
        try (LarderQueue queue = filled(5)) {
            try (TypedTailer<Long> tailer = queue.tailer("name", LONGS)) {
                assertThat(tailer.next()).contains(0L);
                assertThat(committed(queue)).isZero();
                assertThat(tailer.next()).contains(1L);
                assertThat(committed(queue)).isEqualTo(1);
            }
            try (TypedTailer<Long> tailer = queue.tailer("name", LONGS)) {
                Iterator<Long> values = tailer.iterator();
                assertThat(values.next()).isEqualTo(1L);
                assertThat(values.next()).isEqualTo(2L);
                assertThat(committed(queue)).isEqualTo(2);
                tailer.poll(value -> {});
                assertThat(committed(queue)).isEqualTo(4);
                assertThat(tailer.stream().toList()).containsExactly(4L);
                assertThat(committed(queue)).isEqualTo(5);
            }
        }
    }

    @Test
    void doesNotCountAValueAsHandledThatItHasMovedAwayFrom() {
        try (LarderQueue queue = filled(5);
                TypedTailer<Long> tailer = queue.tailer("name", LONGS)) {
            assertThat(tailer.next()).contains(0L);
            tailer.toSequence(3);
            assertThat(tailer.next()).contains(3L);
            assertThat(committed(queue)).isZero();
            tailer.commit();
            assertThat(committed(queue)).isEqualTo(4);
        }
    }

    @Test
    void commitsWhenItIsTold() {
        try (LarderQueue queue = filled(5)) {
            try (TypedTailer<Long> tailer = queue.tailer("name", Commit.EXPLICIT, LONGS)) {
                assertThat(tailer.drain(value -> {}, 2)).isEqualTo(2);
                tailer.commit();
                assertThat(tailer.stream()).hasSize(3);
            }
            assertThat(committed(queue)).isEqualTo(2);
        }
    }

    /** A codec that cannot be bound leaves no name taken. */
    @Test
    void givesTheNameBackWhereTheCodecIsRefused() {
        Codec<Long> refused = new Refused();
        try (LarderQueue queue = filled(1)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.tailer("name", refused))
                    .withMessage("refused");
            queue.tailer("name").close();
        }
    }

    @Test
    void saysThatItIsClosed() {
        try (LarderQueue queue = filled(2)) {
            TypedTailer<Long> tailer = queue.tailer(LONGS);
            Iterator<Long> values = tailer.iterator();
            values.next();
            tailer.close();
            tailer.close();
            assertThatThrownBy(values::hasNext).isInstanceOf(ClosedException.class);
            assertThatThrownBy(tailer::next).isInstanceOf(ClosedException.class);
            assertThatThrownBy(() -> tailer.poll(value -> {})).isInstanceOf(ClosedException.class);
        }
    }

    @Test
    void appendsValuesAndTextsInBatches() {
        try (LarderQueue queue = TestQueues.open(directory);
                Appender appender = queue.appender();
                TypedAppender<Long> longs = queue.appender(LONGS)) {
            try (TypedBatch<Long> batch = longs.batch()) {
                batch.add(1L);
                assertThat(queue.info().messages()).hasValue(0);
                batch.add(2L);
                assertThat(batch.flush()).isEqualTo(queue.info().endPosition() - 16);
                batch.add(3L);
            }
            try (TypedTailer<Long> tailer = queue.tailer(LONGS)) {
                assertThat(tailer.stream()).containsExactly(1L, 2L, 3L);
            }
            try (Batch batch = appender.batch();
                    Tailer tailer = queue.tailer().toEnd()) {
                batch.add("text, ü and 😀");
                batch.add("");
                batch.add(
                        2,
                        (segment, offset, length) ->
                                segment.asSlice(offset, length).fill((byte) 'x'));
                assertThatThrownBy(() -> batch.add(-1, (segment, offset, length) -> {}))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(directory.toString(), "-1");
                batch.flush();
                assertThat(TestQueues.texts(tailer)).containsExactly("text, ü and 😀", "", "xx");
            }
        }
    }

    /** A message that its codec gives up in the middle is left out; the others are there. */
    @Test
    void leavesOutOfABatchWhatTheCodecDidNotWrite() {
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Long> appender = queue.appender(new Refused());
                TypedTailer<Long> tailer = queue.tailer(LONGS)) {
            try (TypedBatch<Long> batch = appender.batch()) {
                batch.add(1L);
                assertThatIllegalStateException()
                        .isThrownBy(() -> batch.add(-1L))
                        .withMessage("refused");
                batch.add(2L);
            }
            assertThat(tailer.stream()).containsExactly(1L, 2L);
        }
    }

    @Test
    void countsMessagesThatAreThere() {
        try (LarderQueue queue = filled(1000)) {
            assertThat(queue.info().messages()).hasValue(1000);
        }
        try (LarderQueue queue =
                LarderQueue.open(directory, TestQueues.options().withReadOnly(true))) {
            assertThat(queue.info().messages()).hasValue(1000);
        }
    }

    @Test
    void countsMessagesWithoutThoseThatWereDropped() {
        try (LarderQueue queue = LarderQueue.open(
                directory, TestQueues.options().withRetention(retention -> retention.withBytes(2L << 21)))) {
            for (int i = 0; i < 100; i++) {
                queue.append(new byte[100_000]);
            }
            QueueInfo info;
            int left;
            do {
                info = queue.info();
                left = drained(queue);
            } while (left < 0
                    || left == 100
                    || queue.info().firstPosition() > info.firstPosition()); // until some are dropped
            assertThat(info.messages()).hasValue(left);
        }
    }

    /** Returns how many messages a tailer reads; -1 if one was dropped before it was read. */
    private static int drained(LarderQueue queue) {
        try (Tailer tailer = queue.tailer()) {
            return tailer.drain((segment, offset, length) -> {}, 1000);
        } catch (FellBehindException e) {
            return -1;
        }
    }

    /** An info call on a damaged queue still returns the rest. */
    @Test
    void doesNotCountMessagesOfADamagedQueueAndTellsTheRest() throws IOException {
        LogOptions options = TestQueues.options().withIntegrity(IntegrityMode.RECORD);
        long damaged;
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            damaged = queue.append("to be damaged");
            queue.sync();
        }
        try (FileChannel segment = FileChannel.open(directory.resolve("0000000000.seg"), StandardOpenOption.WRITE)) {
            segment.write(ByteBuffer.wrap(new byte[] {'x'}), Position.offset(damaged) + 8);
        }
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            QueueInfo info = queue.info();
            assertThat(info.messages()).isEmpty();
            assertThat(info.endPosition()).isGreaterThan(damaged);
        }
    }

    /** Reads longs, and refuses to be bound to a queue for reading, or to write a number below zero. */
    private static final class Refused implements Codec<Long>, dev.larder.codec.schema.BoundCodec<Long> {

        @Override
        public String name() {
            return "refused";
        }

        @Override
        public Codec<Long> in(dev.larder.codec.schema.Schemas schemas, boolean writing) {
            if (!writing) {
                throw new IllegalStateException("refused");
            }
            return new Codec<>() {
                @Override
                public String name() {
                    return "refused";
                }

                @Override
                public int lengthBytes(Long value) {
                    return Long.BYTES;
                }

                @Override
                public void write(Long value, java.lang.foreign.MemorySegment segment, long offset, int length) {
                    if (value < 0) {
                        throw new IllegalStateException("refused");
                    }
                    LONGS.write(value, segment, offset, length);
                }

                @Override
                public Long read(java.lang.foreign.MemorySegment segment, long offset, int length) {
                    return LONGS.read(segment, offset, length);
                }
            };
        }
    }
}
