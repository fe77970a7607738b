package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stack overflows, again and again, while the JVM links what a first call needs. Later calls must work. An appender once
 * threw a BootstrapMethodError for good.
 */
@Tag(Effort.LONG)
class DeepFirstCallTest {

    private static final long SECONDS = 60;

    /** Interpreted, each frame of a method takes as much of the stack as any other. */
    private static final List<String> INTERPRETED = List.of("-Xint");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"append", "poll", "put", "get"})
    void worksAfterwards(String call) {
        try (ChildProcess child = ChildProcess.start(
                DeepFirstCall.class,
                directory.resolve("errors"),
                List.of(),
                INTERPRETED,
                directory.resolve("data").toString(),
                call)) {
            String overflows = child.line(SECONDS);
            assertThat(overflows).startsWith("OVERFLOWS ").isNotEqualTo("OVERFLOWS 0");
            child.expect("WORKS", SECONDS);
        }
    }
}
