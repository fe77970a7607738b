package dev.larder.cli.queue;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.output.Counted;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Brings the files of a queue to the newest version of their formats: all have one version so far. */
@Command(
        name = "upgrade",
        description = "Checks the format version of every file of a queue. There is only one version so far, so "
                + "nothing needs an upgrade. A file of a newer version is an error. Changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue upgrade orders", ExitCode.HELP})
final class QueueUpgradeCommand implements Callable<Integer> {

    private static final int VERSION = 1;
    private static final Map<String, String> FORMATS = Map.of(
            "log.ctl", "LOGCTL",
            "log.cnt", "LOGCNT",
            "log.bmk", "LOGBMK",
            ".seg", "LOGSEG",
            ".schema", "QSCHEMA",
            "copy.place", "QCOPY");

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Override
    public Integer call() {
        if (!arguments.holdsFiles()) {
            throw new LarderException("there is no queue in " + arguments.directory());
        }
        int files = 0;
        for (String name : SystemStorage.system().list(arguments.directory())) {
            for (Map.Entry<String, String> format : FORMATS.entrySet()) {
                files += name.endsWith(format.getKey()) && check(name, format.getValue()) ? 1 : 0;
            }
        }
        if (files == 0) {
            throw new LarderException("there is no queue in " + arguments.directory());
        }
        Figures figures = new Figures().put("files", files).put("upgraded", 0);
        Larder.streams(command)
                .out()
                .print(
                        arguments.json()
                                ? figures.toPrettyJson()
                                : "nothing to do: " + Counted.of(files, "file") + " of version " + VERSION + "\n");
        return ExitCode.OK;
    }

    /** Throws if a file is not of a known version. */
    private boolean check(String name, String format) {
        Path path = arguments.directory().resolve(name);
        try (StorageFile file = SystemStorage.system().open(path, false).orElseThrow();
                Arena arena = Arena.ofShared()) {
            long length = Math.min(FileHeader.LARGEST_BYTES, file.sizeBytes());
            FileHeader.read(file.map(0, length, false, arena), path, format, VERSION, Features.NONE, true);
            return true;
        }
    }
}
