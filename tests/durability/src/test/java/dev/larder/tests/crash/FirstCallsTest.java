package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No first call initialises a class of ours that has something to do for it: the JVM gives a class up for good where the stack
 * overflows meanwhile.
 */
class FirstCallsTest {

    private static final long SECONDS = 60;
    private static final String OPENED = FirstCalls.Opened.class.getName().replace('.', '/');

    @TempDir
    Path directory;

    @Test
    void needNoClassThatIsNotInitialized() throws IOException {
        Path log = directory.resolve("classes");
        try (ChildProcess child = ChildProcess.start(
                FirstCalls.class,
                directory.resolve("errors"),
                List.of(),
                List.of("-XX:TieredStopAtLevel=1", "-Xlog:class+init=info:file=" + log + "::filecount=0"),
                directory.resolve("data").toString())) {
            child.expect("DONE", SECONDS);
        }
        assertThat(initialized(log)).filteredOn(line -> line.contains(OPENED)).hasSize(1);
        assertThat(initialized(log).stream()
                        .dropWhile(line -> !line.contains(OPENED))
                        .skip(1))
                .isEmpty();
    }

    /** Returns the lines of classes of ours that have a method which initialises them. */
    private static List<String> initialized(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("Initializing 'dev/larder/"))
                    .filter(line -> !line.contains("(no method)"))
                    .toList();
        }
    }
}
