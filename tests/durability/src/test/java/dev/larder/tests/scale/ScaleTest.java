package dev.larder.tests.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.queue.LarderQueue;
import dev.larder.tests.crash.ChildProcess;
import dev.larder.tests.faults.GuideTexts;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A terabyte in one process, and a process that has no descriptor left. The soak run has 1,024 segments of 1 GiB, the default
 * run a tenth of them, and a hundredth without native calls.
 */
@Tag(Effort.LONG)
final class ScaleTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final boolean PORTABLE =
            !System.getProperty("larder.test.storage", "system").equals("system");
    private static final int SEGMENTS = SOAK ? 1024 : PORTABLE ? 10 : 102;
    private static final long SECONDS = 120;

    private final String storage = PORTABLE ? "portable" : "system";

    @TempDir
    Path directory;

    @BeforeEach
    void assumeProc() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "there is no /proc/self/maps here");
    }

    private static Storage files() {
        return PORTABLE ? SystemStorage.portable() : SystemStorage.system();
    }

    private ChildProcess start(Class<?> program, List<String> prefix, Path path) {
        return ChildProcess.start(program, directory.resolve("errors"), prefix, storage, path.toString());
    }

    /** Returns the values that a process prints for a step, by name. */
    private Map<String, String> step(ChildProcess process, String name) {
        return figures(process.line(SECONDS), name);
    }

    private Map<String, String> figures(String line, String name) {
        assertThat(line).as(this::errors).startsWith(name + " ");
        return Arrays.stream(line.split(" ", -1))
                .filter(word -> word.contains("="))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(word -> word[0], word -> word[1]));
    }

    private String errors() {
        try {
            return Files.readString(directory.resolve("errors"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static long figure(Map<String, String> figures, String name) {
        return Long.parseLong(figures.get(name));
    }

    @Test
    void aTerabyteIsReadFromOneEndToTheOther() {
        Path queue = directory.resolve("queue");
        long messages = SparseQueue.make(queue, files(), SEGMENTS);
        try (ChildProcess reader = start(LongReader.class, List.of(), queue)) {
            Map<String, String> opened = step(reader, "OPENED");
            Map<String, String> read = step(reader, "READ");
            System.out.println("scale: " + SEGMENTS + " segments: opened " + opened + ", read " + read);
            assertThat(figure(opened, "ownMappings")).isLessThanOrEqualTo(5);
            assertThat(figure(read, "messages")).isEqualTo(messages);
            assertThat(figure(read, "virtualBytes")).isGreaterThan(SEGMENTS * SparseQueue.SEGMENT_BYTES);
            assertThat(figure(read, "ownMappings")).isBetween((long) SEGMENTS, SEGMENTS + 10L);
            assertThat(figure(read, "mappings")).isLessThan(2100);
            assertThat(figure(read, "descriptors")).isLessThan(50);
            Map<String, String> closed = step(reader, "CLOSED");
            assertThat(figure(closed, "ownMappings")).isZero();
            assertThat(figure(closed, "ownDescriptors")).isZero();
            assertThat(reader.exitCode(SECONDS)).isZero();
        }
    }

    /** The work of an opening does not grow with the number of segments. */
    @Test
    void opensAsManyFilesAsAShortQueueDoes() {
        Path small = directory.resolve("short");
        Path large = directory.resolve("long");
        SparseQueue.make(small, files(), 4);
        SparseQueue.make(large, files(), SEGMENTS / 2);
        assertThat(calls(large)).isEqualTo(calls(small));
        assertThat(calls(large).get(StorageCall.OPEN)).isLessThanOrEqualTo(8);
        assertThat(calls(large).get(StorageCall.MAP)).isLessThanOrEqualTo(8);
    }

    private static Map<StorageCall, Long> calls(Path queue) {
        FaultyStorage counting = new FaultyStorage(files());
        try (LarderQueue opened = LarderQueue.open(queue, HookedOptions.withStorage(LogOptions.defaults(), counting))) {
            assertThat(opened.durablePosition()).isNotNegative();
            return Arrays.stream(StorageCall.values()).collect(Collectors.toMap(call -> call, counting::count));
        }
    }

    /** The process has room for a few GiB of mappings; the error names the first mapping that is too many, with its file. */
    @Test
    void aProcessWithoutAddressesIsToldWhichFileWasTooMany() throws IOException {
        Path queue = directory.resolve("queue");
        SparseQueue.make(queue, files(), 12);
        List<String> limit = List.of("sh", "-c", "ulimit -v 8000000; exec \"$@\"", "sh");
        try (ChildProcess reader = start(LongReader.class, limit, queue)) {
            reader.expect("END", SECONDS); // the sync of the first close goes through all segments
            assertThat(reader.exitCode(SECONDS)).isEqualTo(1);
            assertThat(errors())
                    .contains("SystemLimitException: " + queue)
                    .contains(".seg: cannot map " + SparseQueue.SEGMENT_BYTES + " bytes at 0");
            GuideTexts.requireKnown(SystemLimitException.class, thrownText());
        }
    }

    /** Returns the text of the exception with which a process has ended. */
    private String thrownText() {
        String kind = SystemLimitException.class.getSimpleName() + ": ";
        return errors().lines()
                .filter(line -> line.contains(kind))
                .findFirst()
                .map(line -> line.substring(line.indexOf(kind) + kind.length()))
                .orElseThrow();
    }

    /** The error names the limit. The refused calls leave nothing open, and the queue continues afterwards. */
    @Test
    void aProcessWithoutDescriptorsIsToldAndGoesOnOnceItHasSome() throws IOException {
        List<String> limit = List.of("sh", "-c", "ulimit -n 96; exec \"$@\"", "sh");
        try (ChildProcess process = start(AtTheLimit.class, limit, directory.resolve("limited"))) {
            Map<String, String> before = step(process, "BEFORE");
            String line = process.line(SECONDS);
            for (; line.startsWith("TEXT "); line = process.line(SECONDS)) {
                GuideTexts.requireKnown(SystemLimitException.class, line.substring("TEXT ".length()));
            }
            Map<String, String> limited = figures(line, "LIMITED");
            assertThat(limited).containsEntry("append", "SystemLimitException");
            assertThat(limited).containsEntry("read", "SystemLimitException");
            assertThat(limited).containsEntry("open", "SystemLimitException");
            assertThat(figure(limited, "ownDescriptors")).isLessThanOrEqualTo(figure(before, "ownDescriptors"));
            assertThat(figure(limited, "ownMappings")).isLessThanOrEqualTo(figure(before, "ownMappings") + 1);
            Map<String, String> after = step(process, "AFTER");
            assertThat(after).containsEntry("problems", "0").containsEntry("read", after.get("appended"));
            Map<String, String> closed = step(process, "CLOSED");
            assertThat(figure(closed, "ownMappings")).isZero();
            assertThat(figure(closed, "ownDescriptors")).isZero();
            assertThat(process.exitCode(SECONDS)).isZero();
        }
    }
}
