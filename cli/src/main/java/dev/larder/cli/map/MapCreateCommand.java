package dev.larder.cli.map;

import dev.larder.cli.ByteCount;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.CodecNames;
import dev.larder.cli.output.RecordOutput;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.memory.Access;
import dev.larder.memory.LarderException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Creates an empty map. */
@Command(
        name = "create",
        description = "Creates an empty map, which stores the names of its codecs. A map has no fixed size: it grows.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder map create stock",
            "  larder map create stock --keys long --values record:Trade",
            ExitCode.HELP
        })
final class MapCreateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private CodecNames codecs = new CodecNames();

    @Option(names = "--integrity", paramLabel = "MODE", description = "Checksums: ${COMPLETION-CANDIDATES} (RECORD).")
    private @Nullable IntegrityMode integrity;

    @Option(
            names = "--segment",
            paramLabel = "SIZE",
            description = "The size that the map's segments grow to, a power of two from 64 KiB to 4 GiB (256 MiB).")
    private @Nullable ByteCount segment;

    @Option(names = "--group", description = "Let the group read and write the map too.")
    private boolean group;

    @Override
    public Integer call() {
        if (arguments.holdsFiles()) {
            throw new LarderException("the directory " + arguments.directory() + " is not empty; name a new one");
        }
        try (LarderMap<byte[], byte[]> map = arguments.open(options(), codecs.orText())) {
            PrintStream out = Larder.streams(command).out();
            if (arguments.json()) {
                RecordOutput.print(MapInfoCommand.figures(map.info()), true, out);
            } else {
                out.println("created " + arguments.directory() + ": " + codecs.orText());
            }
        }
        return ExitCode.OK;
    }

    private LogOptions options() {
        try {
            LogOptions options =
                    arguments.options().withAccess(access -> access.withFiles(group ? Access.GROUP : Access.OWNER));
            options = integrity == null ? options : options.withIntegrity(integrity);
            return segment == null ? options : options.withLargestSegmentBytes(segment.bytes());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
