package dev.larder.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.result.FailCondition;
import dev.larder.lab.result.Rows;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** The common part of tests of whole experiments: a folder, the output of a run, and its result. */
public abstract class WholeExperiment {

    /** The figures of a row of a load, in their order. */
    protected static final List<String> ROW_OF_A_LOAD = Rows.names(
            "subject collector operation offered_per_s answered_per_s errors mean_us p50_us p90_us p99_us p999_us"
                    + " p9999_us max_us late_sends longest_pause_ms cpu_cores memory_bytes valid disturbed");

    protected final ByteArrayOutputStream out = new ByteArrayOutputStream();
    protected final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    protected Path directory;

    /** Runs an experiment, which prints its result as JSON, and returns the exit code. */
    protected int run(Experiment experiment, FailCondition... failIf) {
        return run(
                experiment,
                new RunOptions(directory.resolve("result"), true, false, false, List.of(failIf)),
                "of a test");
    }

    protected int run(Experiment experiment, RunOptions options, @Nullable String revision) {
        return new LabRun(experiment, options, stream(out), stream(err), false, revision).execute();
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** Returns the printed result; the output must be only JSON. */
    protected Figures result() {
        return Figures.parse(printed());
    }

    protected String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Returns the progress and the errors. */
    protected String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    protected static List<Figures> rows(Figures result, String operation) {
        return result.rows("runs").stream()
                .filter(row -> operation.equals(row.get("operation")))
                .toList();
    }

    /** On a busy machine the generator may be late, which voids a row for this reason; no other reason may void one. */
    protected static void assertJudged(int code, Figures result, String reason) {
        assertThat(code).isEqualTo(result.flag("valid") ? LabRun.EXIT_OK : LabRun.EXIT_INVALID);
        if (!result.flag("valid")) {
            assertThat(result.text("invalid_reason")).contains(reason);
        }
    }
}
