package dev.larder.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Answer;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.lab.study.Study;
import dev.larder.memory.MemoryNodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code larder lab}, called as by a shell. */
class LabCommandsTest {

    private static final String EXAMPLE = "  larder lab ";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private int larder(String... arguments) {
        out.reset();
        err.reset();
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        return Larder.execute(new Streams(InputStream.nullInputStream(), new Answer(out), errors, false), arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyHelpPageHasExamplesThatAreCommandLines() {
        CommandLine lab = new LabCommands().command();
        assertThat(lab.getSubcommands().values()).allSatisfy(command -> {
            List<String> examples = Arrays.stream(
                            command.getCommandSpec().usageMessage().footer())
                    .filter(line -> line.startsWith(EXAMPLE))
                    .toList();
            assertThat(examples).as(command.getCommandName()).isNotEmpty();
            for (String example : examples) {
                String words = example.substring(EXAMPLE.length()).replaceFirst(" [>'].*", "");
                assertThat(lab.parseArgs(words.split(" ", -1))
                                .subcommand()
                                .commandSpec()
                                .name())
                        .isEqualTo(command.getCommandName());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lab queue --wait 8",
                "lab queue --fail-if quick",
                "lab copy --messages none",
                "lab latency --rate fast",
                "lab latency --arrivals replay",
                "lab queue --numa everywhere",
                "lab queue --pattern 12",
                "lab queue --rehearsal --keep",
                "lab report other",
                "lab search --collectors cms",
                "lab search --garbage 50MiB/minute",
                "lab database --queries many",
                "lab database --durability never",
                "lab database --writes 101",
                "lab heap --writes some",
                "lab map --writes some",
                "lab map --entries 5"
            })
    void refusesWhatItCannotUnderstandInOneLine(String arguments) {
        assertThat(larder(arguments.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(err().lines()).hasSize(1).allSatisfy(line -> assertThat(line).startsWith("larder: "));
        assertThat(out()).isEmpty();
    }

    @Test
    void runsTheLabWithNothingButJsonOnItsOutput() {
        String folder = directory.resolve("result").toString();
        String run = "lab queue --quick --json --memory-limit none --burst 1MiB --total 2MiB --warm-up 1MiB --out ";
        assertThat(larder((run + folder).split(" ", -1))).isZero();
        assertThat(Figures.parse(out()).text("experiment")).isEqualTo("queue");
        assertThat(Path.of(folder, "report.html")).isRegularFile();
    }

    @Test
    void saysThatThereIsNoNodeToChoose() {
        assumeTrue(MemoryNodes.withMemory().cardinality() == 1, "the machine has several memory nodes");
        String folder = directory.resolve("result").toString();
        assertThat(larder("lab", "queue", "--quick", "--numa", "interleave", "--out", folder))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err()).contains("--numa interleave: this machine has only one memory node");
    }

    private String result(String name, String experiment, String figures) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(name));
        String json = "{\"experiment\": \"" + experiment + "\", \"valid\": true, " + figures + "}";
        Files.writeString(folder.resolve("result.json"), json);
        return folder.toString();
    }

    @Test
    void comparesResults() throws IOException {
        String before = result("before", "buffers", "\"rows\": [{\"kind\": \"heap\", \"create_ms\": 20}]");
        String after = result("after", "buffers", "\"rows\": [{\"kind\": \"heap\", \"create_ms\": 30}]");
        String folder = directory.resolve("out").toString();
        assertThat(larder("lab", "report", before, after, "--out", folder)).isZero();
        assertThat(out()).contains("after / before").contains("1.500").contains("report.html");
        assertThat(Path.of(folder, "report.html")).isRegularFile();
        assertThat(larder("lab", "report", before, after, "--out", folder, "--json"))
                .isZero();
        assertThat(Figures.parse(out()).rows("figures")).hasSize(1);
    }

    @Test
    void refusesToCompareWhatHasNothingInCommon() throws IOException {
        String rows = result("some", "buffers", "\"rows\": [{\"kind\": \"heap\", \"create_ms\": 20}]");
        String bursts = result("others", "queue", "\"bursts\": [{\"bytes\": 1}]");
        assertThat(larder("lab", "report", rows, bursts)).isEqualTo(ExitCode.ERROR);
        assertThat(err())
                .startsWith("larder: nothing to compare: some is of the experiment 'buffers' and has rows;")
                .contains("others is of the experiment 'queue' and has bursts");
        assertThat(out()).isEmpty();
    }

    /** The help is a format, in which a percent sign is written twice; every default lies within its own range. */
    @Test
    void experimentsDescribeThemselves() {
        for (Study<?> study : LabCommands.STUDIES) {
            assertThat(larder("lab", study.name(), "--help")).as(err()).isZero();
            assertThat(out())
                    .contains(study.description().getFirst().substring(0, 20))
                    .doesNotContain("%%");
            study.settings().forEach(option -> assertThat(out()).contains(option.name()));
            assertThatCode(() -> study.options(Map.of(), false))
                    .as(study.name())
                    .doesNotThrowAnyException();
            assertThatCode(() -> study.options(Map.of(), true)).as(study.name()).doesNotThrowAnyException();
        }
    }

    @Test
    void helpsAndCompletes() {
        assertThat(larder("--help")).isZero();
        assertThat(out()).containsPattern(" lab +Runs experiments that measure Larder\\.\\R");
        assertThat(larder("lab", "queue", "--help")).isZero();
        assertThat(out()).contains("--memory-limit");
        assertThat(larder("completion")).isZero();
        assertThat(out()).contains("--no-early-writeback");
    }
}
