package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.tests.shutdown.AcknowledgingWriter;
import dev.larder.tests.shutdown.ColdWriter;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.SystemPrograms;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real kernel whose file system is shut down under a writer, so that all unflushed bytes are gone. The writer's
 * acknowledgements lie in a file on another file system. All acknowledged messages must be there when the file system is
 * mounted again.
 *
 * <p>On ext4 one round in ten lost its last sync, until a flush checked once more whether the file system lives: the kernel
 * lets an {@code fsync} succeed that is under way when the journal is aborted.
 */
@Tag(Effort.LONG)
class FileSystemShutdownTest {

    private static final int ROUNDS = Effort.of(1, 2, 20);
    private static final long IMAGE_MEGABYTES = 600;

    @TempDir
    Path place;

    /** How many messages were acknowledged, and how many were there afterwards. */
    private record Round(long acknowledged, long recovered) {}

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void shouldLoseNothingAcknowledged(String type) throws Exception {
        assumeTrue(SystemPrograms.exist("xfs_io"), "xfs_io (package xfsprogs) is not installed");
        IntegrityMode[] modes = IntegrityMode.values();
        for (int round = 0; round < ROUNDS; round++) {
            IntegrityMode integrity = modes[round % modes.length];
            Round result = round(type, integrity, "sync", round);
            System.out.println("shutdown of " + type + ", " + integrity + ": " + result);
            assertThat(result.acknowledged).as("the writer wrote").isPositive();
            assertThat(result.recovered).as(type + ", " + integrity).isGreaterThanOrEqualTo(result.acknowledged);
        }
    }

    /** The control: without sync the same shutdown loses nearly all messages. */
    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void shouldSeeLossesWithoutSync(String type) throws Exception {
        assumeTrue(SystemPrograms.exist("xfs_io"), "xfs_io (package xfsprogs) is not installed");
        Round result = round(type, IntegrityMode.RECORD, "none", 1000);
        System.out.println("shutdown of " + type + ", control: " + result);
        assertThat(result.recovered).isLessThan(result.acknowledged);
    }

    /** This code must not be compiled: HotSpot ends the process at a compare-and-set that the file system refuses. */
    @ParameterizedTest
    @ValueSource(strings = {"queue", "map"})
    void shouldEndNoProcessWhoseCodeIsCold(String kind) throws Exception {
        assumeTrue(SystemPrograms.exist("xfs_io"), "xfs_io (package xfsprogs) is not installed");
        Path here = Files.createDirectory(place.resolve("cold" + kind));
        try (SmallFileSystem disk = SmallFileSystem.loop(here, "xfs", IMAGE_MEGABYTES)) {
            Path said = here.resolve("said");
            Process writer = startCold(disk.root().resolve("data"), kind, said);
            try {
                awaitFirst(said, writer);
                assertThat(Commands.run("xfs_io", "-x", "-c", "shutdown", disk.root()))
                        .isTrue();
                writer.getOutputStream().write('\n');
                writer.getOutputStream().flush();
                assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue();
            } finally {
                writer.destroyForcibly().waitFor();
            }
            String change = kind.equals("queue") ? "append" : "put";
            // A page that was stored to since the sync takes one more store; then the next sync reports the error.
            assertThat(Files.readAllLines(said))
                    .startsWith("synced")
                    .containsAnyOf(change + " threw LogFailedException", change + " returned")
                    .endsWith("sync threw LogFailedException", "close threw LogFailedException", "ended");
        }
    }

    private static Process startCold(Path directory, String kind, Path said) throws IOException {
        List<String> command = new ArrayList<>(
                dev.larder.tests.crash.ChildProcess.command(ColdWriter.class, directory.toString(), kind));
        command.addAll(1, List.of("-Xint", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + said + "-crash"));
        return new ProcessBuilder(command)
                .redirectOutput(said.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private Round round(String type, IntegrityMode integrity, String policy, int number) throws Exception {
        Path here = Files.createDirectory(place.resolve(type + policy + number));
        try (SmallFileSystem disk = SmallFileSystem.loop(here, type, IMAGE_MEGABYTES)) {
            Path queue = disk.root().resolve("queue");
            Path acknowledged = here.resolve("acknowledged");
            Process writer = start(queue, integrity, policy, acknowledged);
            try {
                awaitFirst(acknowledged, writer);
                Thread.sleep(new SplittableRandom(number).nextLong(300, 1200));
                assertThat(Commands.run("xfs_io", "-x", "-c", "shutdown", disk.root()))
                        .isTrue();
            } finally {
                writer.destroyForcibly().waitFor();
            }
            assertThat(disk.unmount()).isTrue();
            assertThat(disk.mountAfterShutdown()).isTrue();
            return new Round(last(acknowledged), recovered(queue, integrity));
        } finally {
            Files.deleteIfExists(here.resolve("fs.img"));
        }
    }

    private static Process start(Path queue, IntegrityMode integrity, String policy, Path acknowledged)
            throws IOException {
        List<String> command = dev.larder.tests.crash.ChildProcess.command(
                AcknowledgingWriter.class, queue.toString(), integrity.name(), policy);
        return new ProcessBuilder(command)
                .redirectOutput(acknowledged.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void awaitFirst(Path acknowledged, Process writer) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (Files.size(acknowledged) == 0 && writer.isAlive() && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
    }

    /** Returns the last number on a whole line. */
    private static long last(Path acknowledged) throws IOException {
        String text = Files.readString(acknowledged);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1).strip();
        return whole.isEmpty() ? 0 : Long.parseLong(whole.substring(whole.lastIndexOf('\n') + 1));
    }

    private static long recovered(Path directory, IntegrityMode integrity) {
        if (!Files.exists(directory)) {
            return 0;
        }
        long[] next = {0};
        LogOptions reading = LogOptions.defaults().withReadOnly(true);
        if (Files.exists(directory.resolve("log.ctl"))) {
            try (LarderQueue queue = LarderQueue.open(directory, reading)) {
                next[0] = count(queue);
            }
        }
        try (LarderQueue queue =
                LarderQueue.open(directory, LogOptions.defaults().withIntegrity(integrity))) {
            long writing = count(queue);
            assertThat(next[0]).as("read-only before recovery").isLessThanOrEqualTo(writing);
            assertThat(queue.verify().problems()).isEmpty();
            return writing;
        } catch (dev.larder.log.LogMismatchException e) {
            return 0;
        }
    }

    private static long count(LarderQueue queue) {
        long[] next = {0};
        try (Tailer tailer = queue.tailer()) {
            while (tailer.poll((segment, offset, length) -> assertThat(
                            segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(AcknowledgingWriter.message(next[0]++)))) {
                assert next[0] > 0;
            }
        }
        return next[0];
    }
}
