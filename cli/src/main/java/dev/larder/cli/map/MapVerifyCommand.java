package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.output.ProgressBar;
import dev.larder.cli.output.RecordOutput;
import dev.larder.map.MapVerifyReport;
import dev.larder.map.StoredMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads a whole map and checks every byte that can be checked. */
@Command(
        name = "verify",
        description = "Reads a whole map and checks it: its files, every record, and that the checkpoint and the "
                + "records agree. Names damage with file and position. Changes nothing. Exit code 1 if something "
                + "is damaged.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder map verify stock", ExitCode.HELP})
final class MapVerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Override
    public Integer call() {
        try (StoredMap map = arguments.look()) {
            MapVerifyReport report = verify(map);
            RecordOutput.print(
                    figures(report), arguments.json(), Larder.streams(command).out());
            return report.isSound() ? ExitCode.OK : ExitCode.INVALID;
        }
    }

    private MapVerifyReport verify(StoredMap map) {
        try (ProgressBar bar = new ProgressBar("verify", Larder.streams(command))) {
            return map.verify(bar);
        }
    }

    private static Figures figures(MapVerifyReport report) {
        Figures figures = RecordOutput.figures(report);
        Figures log = figures.part("log");
        return new Figures()
                .put("entries", report.entries())
                .put("removals", report.removals())
                .put("live_bytes", report.liveBytes())
                .put("compared_records", report.comparedRecords())
                .put("checkpoint_position", report.checkpointPosition())
                .put("records", log.get("records"))
                .put("bytes", log.get("bytes"))
                .put("abandoned", log.get("abandoned"))
                .put("open_claims", log.get("open_claims"))
                .put("checked_bytes", log.get("checked_bytes"))
                .put("end_position", log.get("end_position"))
                .put("problems", report.problems());
    }
}
