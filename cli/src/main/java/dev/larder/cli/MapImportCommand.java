package dev.larder.cli;

import dev.larder.map.LarderMap;
import dev.larder.memory.LarderException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts what an export has written. */
@Command(
        name = "import",
        description =
                "Puts the entries of an export, JSON lines or --binary, into a map; makes the map where there is none."
                    + " Entries of the same keys are replaced, others stay. What has expired since is left out; others"
                    + " get no lifetime from the programs that share the map, only from the export. What came before a"
                    + " damaged line stays put.",
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
final class MapImportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Option(names = "--binary", description = "A stream of bytes instead of JSON lines.")
    private boolean binary;

    @Option(names = "--from", paramLabel = "FILE", description = "What to read (the standard input).")
    private @Nullable Path from;

    private record Read(long put, long expired) {}

    @Override
    public Integer call() {
        if (from != null && !Files.exists(from)) {
            throw new LarderException("there is no file " + from); // before a map is made for it
        }
        try (LarderMap<byte[], byte[]> map = arguments.openOrCreate()) {
            Read read = read(map);
            map.sync();
            report(read, map.longSize());
            return ExitCode.OK;
        } catch (IOException e) {
            throw new LarderException("cannot read the export: " + e.getMessage(), e);
        }
    }

    private Read read(LarderMap<byte[], byte[]> map) throws IOException {
        if (from == null) {
            return read(map, new BufferedInputStream(Larder.streams(command).in()), "the standard input");
        }
        try (InputStream file = new BufferedInputStream(Files.newInputStream(from))) {
            return read(map, file, from.toString());
        }
    }

    private Read read(LarderMap<byte[], byte[]> map, InputStream in, String name) throws IOException {
        EntryImport entries = new EntryImport(map, arguments.directory(), arguments.options(), name);
        long read = binary ? entries.readBytes(in) : entries.readLines(in);
        return new Read(read - entries.expired(), entries.expired());
    }

    private void report(Read read, long size) {
        Figures figures =
                new Figures().put("put", read.put).put("expired", read.expired).put("entries", size);
        Larder.streams(command).out().print(arguments.json() ? figures.toPrettyJson() : words(read, size));
    }

    private static String words(Read read, long size) {
        String expired = read.expired == 0 ? "" : ", " + read.expired + " had expired";
        return "put " + read.put + " entries" + expired + ", the map has " + size + "\n";
    }
}
