package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.LogOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of small queues that are open and idle: no thread, two descriptors, three mappings, and the pages that they
 * have touched. The test opens as many as the limit of descriptors allows.
 */
@Timeout(600)
@Tag("any-storage")
@EnabledOnOs(OS.LINUX)
class ManyQueuesTest {

    private static final int WISHED = Effort.of(300, 1000, 10_000);
    private static final int DESCRIPTORS = 2;
    private static final int MAPPINGS = 3;
    private static final int RESIDENT_KIB = 32;

    /** An allowance for all else that the process opens and maps meanwhile: jars, heap, stacks. */
    private static final int SLACK = 100;

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Path DESCRIPTOR_TABLE = Path.of("/proc/self/fd");

    @TempDir
    Path disk;

    private Path folder = Path.of("");
    private final List<LarderQueue> queues = new ArrayList<>();

    /** Uses a memory file system where there is one, because the speed of the disk does not matter here. */
    @BeforeEach
    void chooseFolder() throws IOException {
        folder = Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "larder-many-queues-") : disk;
    }

    @AfterEach
    void delete() throws IOException {
        queues.forEach(LarderQueue::close);
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.toList();
        }
        for (Path file : all.reversed()) {
            Files.deleteIfExists(file);
        }
    }

    @Test
    void shouldCostWhatTheyHaveTouched() throws IOException {
        assumeTrue(SystemStorage.system().isNative(), "the numbers are those of native calls");
        LogOptions options = LogOptions.defaults().withLayout(layout -> layout.withFirstSegmentBytes(64 << 10));
        open(0, options);
        long descriptors = descriptors();
        int count = (int) Math.min(WISHED, (descriptorsMost() - descriptors - 2 * SLACK) / DESCRIPTORS);
        for (int number = 1; number <= count; number++) {
            open(number, options);
        }
        await().atMost(Duration.ofMinutes(5)).until(() -> ownThreads() <= 1);
        assertThat(descriptors() - descriptors)
                .as("descriptors of %s queues", count)
                .isLessThanOrEqualTo((long) count * DESCRIPTORS + SLACK);
        assertThat(mappings()).as("mappings of %s queues", count).isLessThanOrEqualTo((count + 1L) * MAPPINGS);
        assertThat(residentKib())
                .as("resident KiB of %s queues", count)
                .isLessThanOrEqualTo((count + 1L) * RESIDENT_KIB);
        for (int number = 0; number <= count; number += 99) {
            try (Tailer tailer = queues.get(number).tailer()) {
                assertThat(tailer.drain(
                                (segment, offset, length) -> assertThat(length).isEqualTo(100), 9))
                        .isOne();
            }
        }
    }

    private void open(int number, LogOptions options) {
        LarderQueue queue = LarderQueue.open(folder.resolve("queue-" + number), options);
        queues.add(queue);
        queue.append(new byte[100]);
    }

    private static long ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("larder-background-"))
                .count();
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(DESCRIPTOR_TABLE)) {
            return open.count();
        }
    }

    private static long descriptorsMost() throws IOException {
        String limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(limit.split(" {2,}", -1)[1]);
    }

    private long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(this::isOwn).count();
        }
    }

    private boolean isOwn(String line) {
        return line.contains(folder.toString());
    }

    /** Returns how much of the mapped files of the queues is resident. */
    private long residentKib() throws IOException {
        long sum = 0;
        boolean own = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                own = isOwn(line);
            } else if (own && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return sum;
    }
}
