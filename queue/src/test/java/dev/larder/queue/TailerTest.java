package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.larder.log.BookmarkHeldException;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Moving to a message, reading backwards, and named tailers; the tests of the log cover the layer beneath. */
@Timeout(300)
final class TailerTest {

    @TempDir
    Path directory;

    private static LarderQueue filled(Path directory, int messages) {
        LarderQueue queue = TestQueues.open(directory);
        try (Appender appender = queue.appender()) {
            for (int i = 0; i < messages; i++) {
                appender.append(Integer.toString(i));
            }
        }
        return queue;
    }

    private static MessageHandler into(List<String> texts) {
        return (segment, offset, length) -> texts.add(text(segment, offset, length));
    }

    private static String text(MemorySegment segment, long offset, int length) {
        return new String(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Test
    void goesToASequenceATimeAndBack() {
        Instant before = Instant.now().minusSeconds(1);
        try (LarderQueue queue = filled(directory, 10);
                Tailer tailer = queue.tailer()) {
            assertThat(tailer.toSequence(7).sequence()).isEqualTo(7);
            assertThat(TestQueues.texts(tailer)).containsExactly("7", "8", "9");
            assertThat(tailer.toTime(before).sequence()).isZero();
            assertThat(tailer.toTime(Instant.now().plusSeconds(3600)).sequence())
                    .isEqualTo(10);
            List<String> back = new ArrayList<>();
            assertThat(tailer.pollBackward(into(back))).isTrue();
            assertThat(tailer.drainBackward(into(back), 2)).isEqualTo(2);
            assertThat(back).containsExactly("9", "8", "7");
            long from = tailer.position();
            assertThat(queue.count(from, tailer.toEnd().position())).isEqualTo(3);
            assertThatThrownBy(() -> tailer.toSequence(11)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aNamedTailerGoesOnWhereItHasStopped() {
        try (LarderQueue queue = filled(directory, 10)) {
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                try (Tailer tailer = queue.tailer("name")) {
                    assertThatThrownBy(() -> queue.tailer("name")).isInstanceOf(BookmarkHeldException.class);
                    tailer.drain(into(seen), i);
                    tailer.drainBackward((segment, offset, length) -> {}, 2);
                }
            }
            assertThat(seen).containsExactly("0", "1", "2", "3", "4", "5");
            TailerInfo info = queue.tailers().getFirst();
            assertThat(info.sequence()).hasValue(6);
            assertThat(info.lagMessages()).hasValue(4);
            assertThat(info.absentSince()).isPresent();
        }
        try (LarderQueue queue = TestQueues.open(directory);
                Tailer tailer = queue.tailer("name")) {
            assertThat(TestQueues.texts(tailer)).containsExactly("6", "7", "8", "9");
        }
    }

    @Test
    void anExplicitTailerGoesOnAfterItsLastCommit() {
        try (LarderQueue queue = filled(directory, 10)) {
            try (Tailer tailer = queue.tailer("name", Commit.EXPLICIT)) {
                tailer.drain((segment, offset, length) -> {}, 3);
                tailer.commit();
                tailer.drain((segment, offset, length) -> {}, 3);
            }
            try (Tailer tailer = queue.tailer("name", Commit.EXPLICIT)) {
                assertThat(tailer.sequence()).isEqualTo(3);
                tailer.toSequence(8).commit();
            }
            try (Tailer tailer = queue.tailer("name")) {
                assertThat(TestQueues.texts(tailer)).containsExactly("8", "9");
            }
            try (Tailer tailer = queue.tailer()) {
                assertThatIllegalStateException()
                        .isThrownBy(tailer::commit)
                        .withMessageContaining(directory.toString());
            }
        }
    }

    /** A tailer whose place is gone throws at each read, with both positions, until its owner has moved it. */
    @Test
    void saysThatItsPlaceIsGone() {
        try (LarderQueue queue = filled(directory, 3)) {
            try (Log log = Log.open(directory, TestQueues.options())) {
                log.bookmark("name").close();
                try (var bookmark = log.bookmark("name")) {
                    bookmark.move(1L << 32 | 8192); // the next segment, which is not there
                }
            }
            try (Tailer tailer = queue.tailer("name")) {
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> tailer.poll((segment, offset, length) -> {}))
                            .isInstanceOf(FellBehindException.class)
                            .hasMessageContainingAll(directory.toString(), "\"name\"", "1:8192", "0:8192");
                }
                assertThatThrownBy(tailer::commit).isInstanceOf(GoneException.class);
                assertThat(TestQueues.texts(tailer.toStart())).containsExactly("0", "1", "2");
            }
        }
    }

    /** The queue keeps to its bytes, whatever tailers lack; a tailer gets an error, now and when it is opened again. */
    @Test
    void isToldWhatItHasMissed() {
        LogOptions bounded = TestQueues.options().withRetention(retention -> retention.withBytes(2L << 21));
        long stood;
        try (LarderQueue queue = LarderQueue.open(directory, bounded);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer("name")) {
            appender.append("0");
            tailer.drain((segment, offset, length) -> {}, 1);
            stood = tailer.position();
            long first = queue.info().firstPosition();
            long deadline = System.nanoTime() + 60_000_000_000L;
            while (queue.info().firstPosition() == first && System.nanoTime() < deadline) {
                appender.append(new byte[100_000]);
            }
            FellBehindException behind =
                    catchThrowableOfType(FellBehindException.class, () -> tailer.poll((segment, offset, length) -> {}));
            assertThat(behind.position()).isEqualTo(stood);
            assertThat(queue.tailers().getFirst().position()).isEqualTo(stood);
        }
        try (LarderQueue queue = LarderQueue.open(directory, bounded);
                Tailer tailer = queue.tailer("name")) {
            FellBehindException behind =
                    catchThrowableOfType(FellBehindException.class, () -> tailer.poll((segment, offset, length) -> {}));
            assertThat(behind.position()).isEqualTo(stood);
            assertThat(behind.firstPosition()).isEqualTo(queue.info().firstPosition());
            TailerInfo info = queue.tailers().getFirst();
            assertThat(info.lagMessages())
                    .hasValue(tailer.toEnd().sequence() - info.sequence().orElseThrow());
            assertThat(tailer.toStart().poll((segment, offset, length) -> {})).isTrue();
            assertThat(queue.tailers().getFirst().position()).isEqualTo(tailer.position());
            assertThat(tailer.sequence()).isEqualTo(info.sequence().orElseThrow() + 1);
        }
    }
}
