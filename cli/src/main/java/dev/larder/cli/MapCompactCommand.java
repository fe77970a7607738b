package dev.larder.cli;

import dev.larder.map.LarderMap;
import dev.larder.map.MapSpace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Gives back what was overwritten or removed. */
@Command(
        name = "compact",
        description =
                "Gives back what was overwritten, removed or has expired, until at most 3 %% of what the map uses is"
                        + " dead. Also beside processes that have the map open.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
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
            map.compact();
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
}
