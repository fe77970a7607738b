package dev.larder.tests.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.Codec;
import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueCopy;
import dev.larder.queue.Tailer;
import dev.larder.queue.TypedAppender;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy whose sides are killed again and again loses no message, and has none twice. */
@Tag(Effort.LONG)
@Timeout(600)
final class CopyTest {

    private static final long SECONDS = 120;
    private static final int ROUNDS = Effort.of(1, 6, 60);
    private static final int MESSAGES_A_ROUND = 3000;

    record Counted(int number, String text) {}

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";
    private final Random random = new Random(7);
    private final List<String> written = new ArrayList<>();

    @TempDir
    Path directory;

    private LogOptions options() {
        return HookedOptions.withStorage(
                LogOptions.defaults().withPrepareBytes(0).withLargestSegmentBytes(2L << 20),
                storage.equals("system") ? SystemStorage.system() : SystemStorage.portable());
    }

    private ChildProcess child(Object... task) {
        List<String> arguments = new ArrayList<>(List.of(storage));
        List.of(task).forEach(part -> arguments.add(part.toString()));
        return ChildProcess.start(
                Copier.class, directory.resolve("copier.err"), List.of(), arguments.toArray(String[]::new));
    }

    private Path source() {
        return directory.resolve("source");
    }

    private Path target() {
        return directory.resolve("target");
    }

    private static List<String> messages(LarderQueue queue) {
        List<String> messages = new ArrayList<>();
        try (Tailer tailer = queue.tailer()) {
            tailer.drain((segment, offset, length) -> messages.add(hex(segment, offset, length)), Integer.MAX_VALUE);
        }
        return messages;
    }

    private static String hex(MemorySegment segment, long offset, int length) {
        return HexFormat.of().formatHex(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    private void write(Appender appender, TypedAppender<Counted> typed) {
        for (int i = 0; i < MESSAGES_A_ROUND; i++) {
            String text = "message " + written.size() + " " + "x".repeat(random.nextInt(300));
            if (random.nextInt(10) == 0) {
                typed.append(new Counted(written.size(), text));
            } else {
                appender.append(text);
            }
            written.add(text);
        }
    }

    /** Waits until the copy has more messages than it had; then for some time more. */
    private void awaitProgress(ChildProcess process, long before) throws InterruptedException {
        Awaitility.await()
                .atMost(Duration.ofSeconds(SECONDS))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !process.isAlive() || appended() > before);
        assertThat(process.isAlive() && appended() > before)
                .as("the copy has gone on; %s", process.standardError())
                .isTrue();
        Thread.sleep(random.nextInt(60));
    }

    private long appended() {
        try {
            return Log.readCounters(target()).getOrDefault(LogCounter.APPENDS, 0L);
        } catch (LarderException e) {
            return 0; // the copy is being made
        }
    }

    @Test
    void followsThroughDeathsOfBothSides() throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(source(), options());
                Appender appender = queue.appender();
                TypedAppender<Counted> typed = queue.appender(Codec.records(Counted.class))) {
            ChildProcess server = child("serve", source());
            String port = server.line(SECONDS);
            for (int round = 0; round < ROUNDS; round++) {
                long before = appended();
                try (ChildProcess receiver = child("receive", port, target())) {
                    receiver.expect("READY", SECONDS);
                    write(appender, typed);
                    awaitProgress(receiver, before);
                    if (round % 3 == 2) {
                        server.close();
                        assertThat(receiver.line(SECONDS)).startsWith("BROKEN");
                        server = child("serve", source());
                        port = server.line(SECONDS);
                    }
                }
            }
            server.close();
            assertThat(finish(queue)).isEqualTo(messages(queue));
            assertThat(messages(queue)).hasSize(ROUNDS * MESSAGES_A_ROUND);
        }
    }

    /** Both sides recover by themselves: the parent only kills and starts them, by turns. */
    @Test
    void replicatesThroughDeathsOfBothSides() throws IOException, InterruptedException {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        try (LarderQueue queue = LarderQueue.open(source(), options());
                Appender appender = queue.appender();
                TypedAppender<Counted> typed = queue.appender(Codec.records(Counted.class))) {
            ChildProcess server = child("secretly", source(), 0, secret);
            String port = server.line(SECONDS);
            ChildProcess receiver = child("replicate", port, target(), secret);
            receiver.expect("READY", SECONDS);
            for (int round = 0; round < ROUNDS; round++) {
                long before = appended();
                write(appender, typed);
                awaitProgress(receiver, before);
                if (round % 2 == 0) {
                    server.close();
                    server = child("secretly", source(), port, secret);
                    assertThat(server.line(SECONDS)).isEqualTo(port);
                } else {
                    receiver.close();
                    receiver = child("replicate", port, target(), secret);
                    receiver.expect("READY", SECONDS);
                }
            }
            awaitCopied(queue);
            receiver.close();
            server.close();
            assertThat(finish(queue)).isEqualTo(messages(queue)).hasSize(written.size());
        }
    }

    /** The source's tailer stays before the last message that is durable in the copy, so it is one behind at the end. */
    private static void awaitCopied(LarderQueue queue) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(SECONDS))
                .untilAsserted(() -> assertThat(queue.tailers()).singleElement().satisfies(tailer -> {
                    assertThat(tailer.name()).isEqualTo("copy");
                    assertThat(tailer.lagMessages()).hasValue(1);
                }));
    }

    @Test
    void copiesLocallyThroughDeaths() throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(source(), options());
                Appender appender = queue.appender();
                TypedAppender<Counted> typed = queue.appender(Codec.records(Counted.class))) {
            for (int round = 0; round < ROUNDS; round++) {
                long before = appended();
                try (ChildProcess copier = child("copy", source(), target())) {
                    copier.expect("READY", SECONDS);
                    write(appender, typed);
                    awaitProgress(copier, before);
                }
            }
            assertThat(finish(queue)).isEqualTo(messages(queue));
        }
    }

    /** After each death, the copy keeps its last segment only, and the source only what the copy lacks. */
    @Test
    void copiesThroughDeathsWhileBothQueuesDrop() throws InterruptedException {
        LogOptions small = options().withLargestSegmentBytes(64 << 10);
        try (LarderQueue queue = LarderQueue.open(source(), small);
                Appender appender = queue.appender();
                TypedAppender<Counted> typed = queue.appender(Codec.records(Counted.class));
                Tailer tailer = queue.tailer()) {
            List<String> sent = new ArrayList<>();
            for (int round = 0; round < 2 * ROUNDS; round++) {
                long before = appended();
                try (ChildProcess copier = child("dropping", source(), target())) {
                    copier.expect("READY", SECONDS);
                    write(appender, typed);
                    tailer.drain(
                            (segment, offset, length) -> sent.add(hex(segment, offset, length)), Integer.MAX_VALUE);
                    awaitProgress(copier, before);
                }
                dropCopied(queue, small);
            }
            List<String> copied = finish(queue);
            assertThat(copied).isEqualTo(sent.subList(sent.size() - copied.size(), sent.size()));
        }
    }

    private void dropCopied(LarderQueue queue, LogOptions small) {
        try (LarderQueue copy = LarderQueue.open(target(), small);
                Tailer copied = copy.tailer();
                Tailer tailer = queue.tailer()) {
            copy.dropBefore(copy.info().endPosition());
            long next = tailer.toSequence(copied.toEnd().sequence()).position();
            queue.dropBefore(next);
        }
    }

    /** Copies the missing messages; returns the messages of the copy, which must be sound. */
    private List<String> finish(LarderQueue queue) {
        LogOptions plain = HookedOptions.withStorage(
                LogOptions.defaults().withPrepareBytes(0),
                storage.equals("system") ? SystemStorage.system() : SystemStorage.portable());
        QueueCopy.copy(queue, target(), plain, false, () -> true);
        assertThat(QueueCopy.copy(queue, target(), plain, false, () -> true)).isZero();
        try (LarderQueue copy = LarderQueue.open(target(), plain.withReadOnly(true))) {
            assertThat(copy.verify().isSound()).isTrue();
            assertThat(copy.schemas()).isEqualTo(queue.schemas());
            return messages(copy);
        }
    }
}
