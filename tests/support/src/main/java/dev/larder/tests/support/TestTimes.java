package dev.larder.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes how long each test class took, and its processor time. The time of child processes that it waited for counts too. Each
 * test process writes one file, beside the list of {@link SkippedChecks}, with a line a class.
 *
 * <p>A line holds the class, the pass, the elapsed milliseconds and the milliseconds of processor time, separated by spaces.
 */
public final class TestTimes implements TestExecutionListener {
    /** The folder of the files, in the build directory of a module. */
    static final String DIRECTORY = "test-times";

    private static final Path STATISTICS = Path.of("/proc/self/stat");
    /**
     * The first of utime, stime, cutime and cstime: field 14 of {@code proc_pid_stat(5)}, counted from behind the second
     * field, which may hold spaces.
     */
    private static final int USER_TIME = 11;

    private static final int TIMES = 4;
    /** {@code sysconf(_SC_CLK_TCK)}: 100 wherever Linux runs. */
    private static final long MILLISECONDS_A_TICK = 10;

    private final Optional<Path> file;
    private final Map<String, long[]> begun = new HashMap<>();

    /** Called by the launcher, which finds this class as a service. */
    public TestTimes() {
        file = Optional.ofNullable(System.getProperty("larder.test.skipped"))
                .map(directory -> Path.of(directory)
                        .resolveSibling(DIRECTORY)
                        .resolve(ProcessHandle.current().pid() + ".txt"));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (isTopClass(test)) {
            begun.put(test.getUniqueId(), new long[] {System.nanoTime(), processorMilliseconds()});
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        long[] start = begun.remove(test.getUniqueId());
        if (start != null) {
            String line =
                    test.getLegacyReportingName() + " " + System.getProperty("larder.test.storage", "system") + " "
                            + Duration.ofNanos(System.nanoTime() - start[0]).toMillis() + " "
                            + (processorMilliseconds() - start[1]) + System.lineSeparator();
            file.ifPresent(path -> append(path, line));
        }
    }

    /** Returns whether a test is a class right below a test engine. */
    private static boolean isTopClass(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().size() == 2;
    }

    /** Returns the processor time of this process and its ended children; 0 if the system does not report it. */
    private static long processorMilliseconds() {
        if (!Files.isReadable(STATISTICS)) {
            return 0;
        }
        try {
            String line = Files.readString(STATISTICS, StandardCharsets.ISO_8859_1);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return IntStream.range(USER_TIME, USER_TIME + TIMES)
                            .mapToLong(field -> Long.parseLong(fields[field]))
                            .sum()
                    * MILLISECONDS_A_TICK;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + STATISTICS, e);
        }
    }

    private static void append(Path file, String line) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the times of tests into " + file, e);
        }
    }
}
