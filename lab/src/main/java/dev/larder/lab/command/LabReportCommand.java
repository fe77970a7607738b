package dev.larder.lab.command;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.lab.LabRun;
import dev.larder.lab.compare.Comparison;
import dev.larder.lab.result.ResultFolder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the results of several runs. */
@Command(
        name = "report",
        description = {
            "Compares result folders on one page, with plots of all of them.",
            "Ratios are to the first folder."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            ExitCode.EXAMPLES,
            "  larder lab report before after --out comparison",
            "  larder lab report before after --json > comparison.json",
            ExitCode.HELP
        })
final class LabReportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(arity = "2..*", paramLabel = "FOLDER", description = "Result folders of the same kind of experiment.")
    private List<Path> folders = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR", description = "The folder of the report (lab-results/report-TIME).")
    private @Nullable Path out;

    @Option(
            names = "--json",
            description = "Print the comparison as JSON to the standard output, and nothing else there.")
    private boolean json;

    @Override
    public Integer call() {
        Comparison comparison = Comparison.of(folders);
        Path folder = out == null ? LabRun.defaultFolder("report") : out;
        comparison.write(new ResultFolder(folder.toAbsolutePath()));
        PrintStream stream = Larder.streams(command).out();
        if (json) {
            stream.print(comparison.figures().toPrettyJson());
        } else {
            stream.print(comparison.text());
            stream.println("page: " + folder.resolve("report.html"));
        }
        return ExitCode.OK;
    }
}
