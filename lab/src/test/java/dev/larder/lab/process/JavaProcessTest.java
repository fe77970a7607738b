package dev.larder.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.load.GeneratorLoop;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaProcessTest {

    @TempDir
    Path logs;

    @Test
    void aChildGetsTheHeapAndTheCollectorThatItIsAskedFor() {
        List<String> command = JavaProcess.command(64L << 20, GeneratorLoop.class, List.of("-XX:+UseZGC"));
        assertThat(command).contains("-Xms65536k", "-Xmx65536k").containsOnlyOnce("-XX:+UseZGC");
        assertThat(command.stream().filter(flag -> flag.matches("-XX:[+]Use\\w+GC")))
                .hasSize(1);
        assertThat(command.getLast()).endsWith(GeneratorLoop.class.getName());
    }

    /** The JVM would warn on its standard output, on which a child answers. Most machines have no large pages. */
    @Test
    void aWarningOfTheJvmIsNoAnswer() {
        List<String> command = JavaProcess.command(64L << 20, GeneratorLoop.class, List.of("-XX:+UseLargePages"));
        try (ChildProcess child = ChildProcess.start("warned", command, MemoryLimit.none(), logs)) {
            assertThat(child.facts().has("version")).isTrue();
            assertThat(child.facts().get("flags")).asString().doesNotContain("Xlog", "DisplayVMOutput");
        }
    }

    @Test
    void flagsThatChooseACollectorAreTold() {
        assertThat(JavaProcess.choosesCollector("-XX:+UseSerialGC")).isTrue();
        assertThat(JavaProcess.choosesCollector("-XX:-UseG1GC")).isTrue();
        assertThat(JavaProcess.choosesCollector("-XX:+UseStringDeduplication")).isFalse();
    }
}
