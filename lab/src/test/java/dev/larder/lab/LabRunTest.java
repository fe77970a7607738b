package dev.larder.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.LabException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The results that a run takes over from an earlier run in the same folder. */
final class LabRunTest {

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    /** Measures three things, each of which is a sample; finished ones are not measured again. */
    private record Three(
            long seed, boolean continues, @Nullable String invalidReason, long fileBytes) implements Experiment {

        Three(long seed, boolean continues, @Nullable String invalidReason) {
            this(seed, continues, invalidReason, 7);
        }

        @Override
        public String name() {
            return "three";
        }

        @Override
        public Figures options() {
            return new Figures().put("things", 3);
        }

        @Override
        public Figures files() {
            return new Figures().put("corpus", new Figures().put("bytes", fileBytes));
        }

        @Override
        public Findings run(RunContext context) {
            int taken = context.finished().size();
            for (int thing = taken; thing < 3; thing++) {
                context.folder().addSample(new Figures().put("thing", thing));
            }
            return new Findings(new Figures().put("taken", taken), new Figures(), invalidReason);
        }

        @Override
        public Report report(Figures result) {
            return new Report(result, "A thing", "is taken");
        }
    }

    private long taken(Experiment experiment, @Nullable String revision) {
        return taken(experiment, revision, false);
    }

    private long taken(Experiment experiment, @Nullable String revision, boolean keep) {
        err.reset();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RunOptions options = new RunOptions(directory, true, false, keep, List.of());
        new LabRun(experiment, options, new PrintStream(out, true, StandardCharsets.UTF_8), stream, false, revision)
                .execute();
        return Figures.parse(out.toString(StandardCharsets.UTF_8)).whole("taken");
    }

    /** Makes the folder look as if the run had been killed while it wrote its second sample. */
    private void interrupt() throws IOException {
        Files.delete(directory.resolve("result.json"));
        Path samples = directory.resolve("samples.jsonl");
        List<String> lines = Files.readAllLines(samples);
        Files.writeString(samples, lines.getFirst() + "\n" + lines.get(1).substring(0, 5));
    }

    @Test
    void aFinishedRunIsShownAgain() {
        Experiment experiment = new Three(1, false, null);
        taken(experiment, "a");
        taken(experiment, "a");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("kept the finished run");
        taken(experiment, "b");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        taken(new Three(1, false, null, 8), "b");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        taken(new Three(1, false, "void"), "c");
        taken(experiment, "c");
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("kept the finished run");
    }

    @Test
    void anInterruptedRunGoesOnFromItsWholeSamples() throws IOException {
        Experiment experiment = new Three(1, true, null);
        assertThat(taken(experiment, "a")).isZero();
        interrupt();
        assertThat(taken(experiment, "a")).isEqualTo(1);
        assertThat(Files.readAllLines(directory.resolve("samples.jsonl")))
                .containsExactly("{\"thing\":0}", "{\"thing\":1}", "{\"thing\":2}");
    }

    @Test
    void nothingIsTakenFromARunOfAnotherIdentity() throws IOException {
        assertAnew(new Three(2, true, null), "a");
        assertAnew(new Three(1, true, null), "b");
        assertAnew(new Three(1, true, null), null);
        assertAnew(new Three(1, true, null), "a+changes");
        assertAnew(new Three(1, false, null), "a");
        assertAnew(new Three(1, true, null, 8), "a");
    }

    private void assertAnew(Experiment experiment, @Nullable String revision) throws IOException {
        Experiment earlier = new Three(1, true, null);
        taken(earlier, revision != null && revision.endsWith("+changes") ? revision : "a");
        interrupt();
        assertThat(taken(experiment, revision)).isZero();
        assertThat(Files.readAllLines(directory.resolve("samples.jsonl"))).hasSize(3);
        Files.writeString(directory.resolve("result.json"), "{}", StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Test
    void dataOfSomebodyElseIsRefusedAndStays() throws IOException {
        Path mine = Files.writeString(
                Files.createDirectory(directory.resolve("data")).resolve("mine"), "mine");
        assertThatThrownBy(() -> taken(new Three(1, true, null), "a"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("data exists, and larder lab did not create it")
                .hasMessageContaining("name another --out");
        assertThat(mine).hasContent("mine");
        assertThat(directory.resolve("samples.jsonl")).doesNotExist();
    }

    @Test
    void dataThatARunHasKeptIsRemovedByALaterOne() {
        assertThat(taken(new Three(1, true, null), "a", true)).isZero();
        assertThat(directory.resolve("data")).isDirectory();
        assertThat(taken(new Three(1, true, null), "b", false)).isZero();
        assertThat(directory.resolve("data")).doesNotExist();
    }
}
