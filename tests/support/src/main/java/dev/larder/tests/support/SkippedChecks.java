package dev.larder.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * The list of tests that this machine could not run, with their reasons, for the end of the build.
 *
 * <p>A test that is disabled, or that aborts on an assumption, leaves one line in a file in the directory that the system
 * property {@code larder.test.skipped} names. Each test process has a file of its own, so that processes need not agree. The
 * file's name begins with the storage of the pass, so {@link SkippedChecksReport} can list the tests that ran in no pass.
 */
public final class SkippedChecks implements TestExecutionListener {
    private final Optional<Path> file;
    private Optional<TestPlan> plan = Optional.empty();

    /** Called by the launcher, which finds this class as a service. */
    public SkippedChecks() {
        file = Optional.ofNullable(System.getProperty("larder.test.skipped"))
                .map(directory -> Path.of(directory, fileName()));
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = Optional.of(started);
        file.ifPresent(path -> append(path, ""));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == Status.ABORTED) {
            write(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
        }
    }

    /**
     * Lists a part of a test that this machine could not run; the rest of the test still counts.
     *
     * @param check the test and the part
     * @param reason what the machine lacks
     */
    static void note(String check, String reason) {
        new SkippedChecks()
                .file.ifPresent(path -> append(
                        path, check + ": " + String.valueOf(reason).replaceAll("\\s+", " ") + System.lineSeparator()));
    }

    private void write(TestIdentifier test, String reason) {
        String line = name(test) + ": " + reason.replaceAll("\\s+", " ") + System.lineSeparator();
        file.ifPresent(path -> append(path, line));
    }

    private String name(TestIdentifier test) {
        String parent = test.getParentIdObject().map(this::name).orElse("");
        return parent.isEmpty() ? test.getDisplayName() : parent + " > " + test.getDisplayName();
    }

    /** Returns the name of a container; empty for a test engine, whose name means nothing to a reader. */
    private String name(UniqueId id) {
        return id.getSegments().size() == 1
                ? ""
                : plan.map(tests -> name(tests.getTestIdentifier(id))).orElse("");
    }

    private static String fileName() {
        String storage = System.getProperty("larder.test.storage", "system");
        return storage + "." + ProcessHandle.current().pid() + ".txt";
    }

    private static void append(Path file, String line) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list a skipped check in " + file, e);
        }
    }
}
