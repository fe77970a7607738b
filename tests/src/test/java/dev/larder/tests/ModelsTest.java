package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code models/checked.txt} has the outcome of each run of a model in its present form: so {@code .ci/run} leaves out most
 * runs that are listed there.
 */
class ModelsTest {
    private static final Path MODELS =
            Path.of(System.getProperty("larder.root")).resolve("models");

    @TempDir
    private Path copy;

    @Test
    void shouldRecordEachRun() throws Exception {
        assertThat(lacksOf(MODELS)).isEmpty();
    }

    @Test
    void shouldMissARunWhoseModelChanged() throws Exception {
        copyModels();
        Files.writeString(copy.resolve("roll.pml"), Files.readString(copy.resolve("roll.pml")) + "/* changed */");
        assertThat(lacksOf(copy))
                .contains("models: checked.txt lacks roll; models/run.sh --record 119 roll writes it")
                .allMatch(line -> line.startsWith("models: checked.txt lacks roll"));
    }

    @Test
    void shouldMissARunWithoutALine() throws Exception {
        copyModels();
        rewrite(Files.readAllLines(copy.resolve("checked.txt")).stream()
                .filter(line -> !line.endsWith(" roll -DRENAME"))
                .toList());
        assertThat(lacksOf(copy))
                .containsExactly("models: checked.txt lacks roll -DRENAME; models/run.sh --record 119 roll writes it");
    }

    @Test
    void shouldMissARunThatHadAnotherOutcome() throws Exception {
        copyModels();
        rewrite(Files.readAllLines(copy.resolve("checked.txt")).stream()
                .map(line -> line.endsWith(" roll -DRENAME") ? line.replace(" fails ", " holds ") : line)
                .toList());
        assertThat(lacksOf(copy)).hasSize(1);
    }

    @Test
    void shouldFindALineWithoutARun() throws Exception {
        copyModels();
        List<String> lines = Files.readAllLines(copy.resolve("checked.txt"));
        rewrite(Stream.concat(lines.stream(), Stream.of("0123456789abcdef holds 1 roll -DGONE"))
                .toList());
        assertThat(lacksOf(copy)).containsExactly("models: checked.txt has roll -DGONE, which is not made any more");
    }

    private void copyModels() throws IOException {
        try (Stream<Path> files = Files.list(MODELS)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName().toString()));
            }
        }
    }

    private void rewrite(List<String> lines) throws IOException {
        Files.write(copy.resolve("checked.txt"), lines);
    }

    /** Returns what the runs of {@code .ci/run} lack; if they lack nothing, the script prints nothing and exits with 0. */
    private static List<String> lacksOf(Path models) throws Exception {
        require("bash");
        require("sha256sum");
        Process process = new ProcessBuilder("bash", models.resolve("run.sh").toString(), "--lacks", "119")
                .redirectErrorStream(true)
                .start();
        List<String> lines;
        try (var output = process.inputReader(StandardCharsets.UTF_8)) {
            lines = output.lines().toList();
        }
        assertThat(process.waitFor() == 0).isEqualTo(lines.isEmpty());
        return lines;
    }

    private static void require(String program) {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        assumeTrue(found, program + " is not installed");
    }
}
