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
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks that the files of a queue have the newest version of their formats. It cannot upgrade older versions. */
@Command(
        name = "upgrade",
        description =
                "Checks the format version of every file of a queue. A file of another version than the newest is "
                        + "an error: the command cannot upgrade older versions. Changes nothing.",
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder queue upgrade orders", ExitCode.HELP})
final class QueueUpgradeCommand implements Callable<Integer> {

    /** A format, and its newest version. */
    private record Format(String name, int version) {}

    private static final Map<String, Format> FORMATS = Map.of(
            "log.ctl", new Format("LOGCTL", 1),
            "log.cnt", new Format("LOGCNT", 1),
            "log.bmk", new Format("LOGBMK", 1),
            ".seg", new Format("LOGSEG", 1),
            ".schema", new Format("QSCHEMA", 1),
            "copy.place", new Format("QCOPY", 2));

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private QueueArguments arguments = new QueueArguments();

    @Override
    public Integer call() {
        if (!arguments.holdsFiles()) {
            throw new LarderException("there is no queue in " + arguments.directory());
        }
        arguments.refuseMap();
        int files = 0;
        for (String name : SystemStorage.system().list(arguments.directory())) {
            for (Map.Entry<String, Format> format : FORMATS.entrySet()) {
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
                                : "nothing to do: " + Counted.of(files, "file") + " of the newest version\n");
        return ExitCode.OK;
    }

    /** Returns whether a file is there: it may have been dropped since it was listed. Throws if it is not of the newest version. */
    private boolean check(String name, Format format) {
        Path path = arguments.directory().resolve(name);
        Optional<StorageFile> found = SystemStorage.system().open(path, false);
        found.ifPresent(file -> check(file, path, format));
        return found.isPresent();
    }

    private static void check(StorageFile found, Path path, Format format) {
        try (StorageFile file = found;
                Arena arena = Arena.ofShared()) {
            long length = Math.min(FileHeader.LARGEST_BYTES, file.sizeBytes());
            FileHeader header = FileHeader.read(
                    file.map(0, length, false, arena), path, format.name(), format.version(), Features.NONE, true);
            if (header.version() < format.version()) {
                throw new LarderException(path + ": is of version " + header.version() + " of " + format.name()
                        + ", which cannot be upgraded; this release reads version " + format.version());
            }
        }
    }
}
