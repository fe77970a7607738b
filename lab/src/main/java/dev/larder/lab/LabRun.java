package dev.larder.lab;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.machine.Revision;
import dev.larder.lab.report.Report;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.ResultFolder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of an experiment, from its options to its exit code.
 *
 * <p>Once the experiment has begun, {@code result.json} is always written: an interrupted run leaves its samples.
 * A finished, valid run of the same options, seed and revision in the same folder is kept and shown again.
 */
public final class LabRun {

    /** The run is valid, and no {@code --fail-if} condition holds. */
    public static final int EXIT_OK = ExitCode.OK;

    /** The run is void, or {@code --fail-if} or {@code --strict} fails it. */
    public static final int EXIT_INVALID = ExitCode.INVALID;

    /** The run was interrupted; its samples are written. */
    public static final int EXIT_INTERRUPTED = 130;

    private static final DateTimeFormatter FOLDER_TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Experiment experiment;
    private final RunOptions options;
    private final PrintStream out;
    private final PrintStream err;
    private final Progress progress;
    private final @Nullable String revision;

    /**
     * A run.
     *
     * @param out receives the table, or the JSON
     * @param err receives the rest
     * @param terminal whether {@code err} is a terminal that can show a bar
     */
    public LabRun(Experiment experiment, RunOptions options, PrintStream out, PrintStream err, boolean terminal) {
        this(experiment, options, out, err, terminal, Revision.find());
    }

    /**
     * A run of a given revision.
     *
     * @param revision of this program's source; null if unknown
     */
    public LabRun(
            Experiment experiment,
            RunOptions options,
            PrintStream out,
            PrintStream err,
            boolean terminal,
            @Nullable String revision) {
        this.experiment = experiment;
        this.options = options;
        this.out = out;
        this.err = err;
        this.revision = revision;
        progress = new Progress(err, terminal);
    }

    /** Returns the default folder of a run: {@code lab-results/EXPERIMENT-TIME}. */
    public static Path defaultFolder(String experiment) {
        return Path.of("lab-results", experiment + "-" + FOLDER_TIME.format(Instant.now()));
    }

    /**
     * Runs the experiment, or shows the finished run that is already in the folder.
     *
     * @return {@link #EXIT_OK}, {@link #EXIT_INVALID} or {@link #EXIT_INTERRUPTED}
     * @throws LabException if it cannot run here
     */
    public int execute() {
        ResultFolder folder = new ResultFolder(options.out().toAbsolutePath());
        Figures earlier = folder.result().filter(this::isSame).orElse(null);
        if (earlier != null) {
            err.println("kept the finished run in " + options.out() + " (same options, seed and revision);"
                    + " name another --out to run again");
            return show(earlier, folder);
        }
        try (Interruption interruption = new Interruption()) {
            Figures result = measure(folder, interruption);
            return show(result, folder);
        }
    }

    private boolean isSame(Figures result) {
        return result.flag("valid")
                && result.flag("complete")
                && experiment.name().equals(result.get("experiment"))
                && experiment.options().equals(result.part("options"))
                && experiment.files().equals(result.part("files"))
                && Objects.equals(experiment.seed(), result.wholeOrNull("seed"))
                && isKnown()
                && Objects.equals(revision, result.get("revision"));
    }

    private boolean isKnown() {
        return revision != null && !revision.endsWith("+changes");
    }

    /** Returns the usable samples of an interrupted run; removes the rest. */
    private List<Figures> finished(ResultFolder folder) {
        if (!experiment.continues() || !isKnown()) {
            folder.clearSamples();
            return List.of();
        }
        List<Figures> finished = folder.continueSamples(new Figures()
                .put("experiment", experiment.name())
                .put("options", experiment.options())
                .put("files", experiment.files())
                .put("seed", experiment.seed())
                .put("revision", revision));
        if (!finished.isEmpty()) {
            err.println("continuing an earlier run of the same options, seed and revision");
        }
        return finished;
    }

    private Figures measure(ResultFolder folder, Interruption interruption) {
        Figures files = experiment.files(); // as they were before the run
        Instant started = Instant.now();
        long start = System.nanoTime();
        Path data = Directories.claim(
                experiment.dataDirectory(folder.directory()),
                "name another " + (experiment.directory() == null ? "--out" : "--directory") + ", or move it away");
        List<Figures> finished = finished(folder);
        try (HiccupRecorder recorder = new HiccupRecorder()) {
            Findings findings = experiment.run(new RunContext(folder, data, progress, interruption, finished));
            double seconds = (System.nanoTime() - start) / 1e9;
            Figures result = head(findings, files, Machine.facts(data))
                    .put("started", started)
                    .put("seconds", seconds)
                    .put("complete", !interruption.isInterrupted() && findings.invalidReason() == null)
                    .put("disturbed", recorder.isDisturbed())
                    .put("hiccups", recorder.figures())
                    .putAll(findings.figures());
            folder.write("result.json", result.toPrettyJson());
            return result.put("interrupted", interruption.isInterrupted());
        } finally {
            progress.clear();
            if (!options.keep()) {
                Directories.delete(data);
            }
        }
    }

    private Figures head(Findings findings, Figures files, Figures machine) {
        return new Figures()
                .put("experiment", experiment.name())
                .put("valid", findings.invalidReason() == null)
                .put("invalid_reason", findings.invalidReason())
                .put("options", experiment.options())
                .put("files", files)
                .put("seed", experiment.seed())
                .put("revision", revision)
                .put("machine", machine)
                .put("jvm", findings.jvm());
    }

    private int show(Figures result, ResultFolder folder) {
        Report report = experiment.report(result);
        report.write(folder);
        if (options.json()) {
            out.print(result.toPrettyJson());
        } else {
            out.print(report.text());
            out.println("result: " + options.out().resolve("result.json") + "   page: "
                    + options.out().resolve("report.html"));
        }
        out.flush();
        return exitCode(result);
    }

    private int exitCode(Figures result) {
        List<String> reasons = new ArrayList<>();
        if (!result.flag("valid")) {
            reasons.add("void: " + result.get("invalid_reason"));
        }
        if (options.strict() && result.flag("disturbed")) {
            reasons.add("disturbed by the machine (see \"hiccups\" in the result), and --strict");
        }
        options.failIf().stream()
                .map(condition -> condition.reason(result))
                .filter(Objects::nonNull)
                .forEach(reasons::add);
        reasons.forEach(reason -> err.println("larder: " + reason));
        if (result.flag("interrupted")) {
            return EXIT_INTERRUPTED;
        }
        return reasons.isEmpty() ? EXIT_OK : EXIT_INVALID;
    }
}
