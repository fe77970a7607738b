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
 * No first call initialises a class of ours that has an initialiser to run: if the stack overflows meanwhile, the JVM gives up
 * the class for good.
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

    /** Returns the log's lines about classes of ours that have an initialiser. */
    private static List<String> initialized(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("Initializing 'dev/larder/"))
                    .filter(line -> !line.contains("(no method)"))
                    .toList();
        }
    }
}
