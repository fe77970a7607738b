package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.output.ProgressBar;
import dev.larder.cli.output.RecordOutput;
import dev.larder.map.LarderMap;
import dev.larder.map.MapSpace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reclaims the space of overwritten and removed entries. */
@Command(
        name = "compact",
        description = "Reclaims the space of replaced, removed and expired entries, until at most 3 %% of the used "
                + "space is dead. Other processes may have the map open.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder map compact stock", ExitCode.HELP})
final class MapCompactCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Override
    public Integer call() {
        try (OpenMap open = arguments.open()) {
            LarderMap<byte[], byte[]> map = open.map();
            MapSpace before = map.info().space();
            compact(map);
            MapSpace after = map.info().space();
            RecordOutput.print(
                    new Figures()
                            .put("entries", map.longSize())
                            .put("live_bytes", after.liveBytes())
                            .put("file_bytes_before", before.fileBytes())
                            .put("file_bytes", after.fileBytes()),
                    arguments.json(),
                    Larder.streams(command).out());
            return ExitCode.OK;
        }
    }

    private void compact(LarderMap<byte[], byte[]> map) {
        try (ProgressBar _ = ProgressBar.asking(
                "compact", Larder.streams(command), () -> map.info().space().fileBytes())) {
            map.compact();
        }
    }
}
