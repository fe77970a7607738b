package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.SegmentFiles;
import dev.larder.cli.entry.CodecNames;
import dev.larder.cli.entry.EntryText;
import dev.larder.cli.output.ProgressBar;
import dev.larder.cli.output.RecordOutput;
import dev.larder.codec.SchemaMapping;
import dev.larder.log.LogOptions;
import dev.larder.map.MapRepair;
import dev.larder.map.MapRepairReport;
import dev.larder.map.MapTypes;
import dev.larder.map.StoredMap;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a new map from the sound records of a damaged one. */
@Command(
        name = "repair",
        description = "Copies the sound records of a damaged map into a new one, and lists the damaged ranges. Does "
                + "not change the damaged map. If the last record of a key is damaged, the new map gets the record "
                + "before it, if that still exists. Name codecs only if map.ctl is lost or damaged. Exit code 1 if "
                + "something was damaged.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder map repair stock stock-repaired", ExitCode.HELP})
final class MapRepairCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private CodecNames codecs = new CodecNames();

    @Parameters(index = "1", paramLabel = "TARGET", description = "The directory of the new map.")
    private Path target = Path.of("");

    @Override
    public Integer call() {
        if (!arguments.holdsFiles()) {
            throw new LarderException("there is no map in " + arguments.directory());
        }
        LogOptions options =
                arguments.options().withLargestSegmentBytes(SegmentFiles.largestSegmentBytes(arguments.directory()));
        MapRepairReport report = repair(options);
        List<String> problems = new ArrayList<>(report.problems());
        int schemas = new SchemaMapping(EntryText.codecFolder(target, options))
                .addAllOf(arguments.directory(), problems::add);
        RecordOutput.print(
                new Figures()
                        .put("records", report.records())
                        .put("entries", report.entries())
                        .put("schemas", schemas)
                        .put("lost", report.lost())
                        .put("lost_bytes", report.lostBytes())
                        .put("problems", problems),
                arguments.json(),
                Larder.streams(command).out());
        return problems.isEmpty() ? ExitCode.OK : ExitCode.INVALID;
    }

    /** Repairs the map. The codec names stored in the map win; given names are for a map that has lost them. */
    private MapRepairReport repair(LogOptions options) {
        try (ProgressBar _ = ProgressBar.writing("repair", Larder.streams(command), target)) {
            return codecs.areGiven()
                    ? MapRepair.repair(arguments.directory(), target, types(options), options)
                    : MapRepair.repair(arguments.directory(), target, options);
        }
    }

    private MapTypes types(LogOptions options) {
        MapTypes stored;
        try {
            stored = StoredMap.types(arguments.directory(), options);
        } catch (LarderException e) {
            return codecs.orText();
        }
        return codecs.require(stored);
    }
}
