package dev.larder.cli;

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
        description = "Reads the whole map and checks it: its files, every record, and whether the checkpoint leads to"
            + " the records and they to it. Names what is damaged with file and position. Changes nothing. Exit code 1"
            + " when something is damaged.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
final class MapVerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Override
    public Integer call() {
        try (StoredMap map = arguments.look()) {
            MapVerifyReport report = map.verify();
            RecordOutput.print(
                    figures(report), arguments.json(), Larder.streams(command).out());
            return report.isSound() ? ExitCode.OK : ExitCode.INVALID;
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
