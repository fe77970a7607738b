package dev.larder.cli.map;

import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.CodecNames;
import dev.larder.cli.output.Counted;
import dev.larder.cli.output.ProgressBar;
import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.map.MapTypes;
import dev.larder.memory.LarderException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts the entries of an export. */
@Command(
        name = "import",
        description = "Puts the entries of an export, JSON lines or --binary, into a map. Creates a missing map with "
                + "the codecs that the export or --keys and --values name. Replaces entries of the same keys. Skips "
                + "entries that have expired since. Entries keep the lifetimes of the export and get no others. If a "
                + "line is damaged, the entries before it stay.",
        mixinStandardHelpOptions = true,
        footer = {
            ExitCode.EXAMPLES,
            "  larder map import stock < stock.json",
            "  larder map import stock --binary --from stock.bin",
            ExitCode.HELP
        })
final class MapImportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private MapArguments arguments = new MapArguments();

    @Mixin
    private CodecNames codecs = new CodecNames();

    @Option(names = "--binary", description = "Read a stream of bytes instead of JSON lines.")
    private boolean binary;

    @Option(names = "--from", paramLabel = "FILE", description = "The file to read (the standard input).")
    private @Nullable Path from;

    private record Read(long put, long expired) {}

    @Override
    public Integer call() {
        if (from != null && !Files.exists(from)) {
            throw new LarderException("there is no file " + from); // checked before a map is created for it
        }
        try {
            read();
            return ExitCode.OK;
        } catch (IOException e) {
            throw new LarderException("cannot read the export: " + FailureReason.of(e), e);
        }
    }

    private void read() throws IOException {
        if (from == null) {
            read(new BufferedInputStream(Larder.streams(command).in()), "the standard input");
            return;
        }
        try (ProgressBar bar = new ProgressBar("import", Larder.streams(command));
                InputStream file = new BufferedInputStream(bar.reading(Files.newInputStream(from), Files.size(from)))) {
            read(file, from.toString());
        }
    }

    private void read(InputStream in, String name) throws IOException {
        try (EntryImport entries = new EntryImport(arguments, this::open, name)) {
            long read = binary ? entries.readBytes(in) : entries.readLines(in);
            entries.map().sync();
            report(
                    new Read(read - entries.expired(), entries.expired()),
                    entries.map().longSize());
        }
    }

    /** Opens the existing map, which must store the types of the export. If there is no map, creates one with those types. */
    private LarderMap<byte[], byte[]> open(Optional<MapTypes> exported) {
        if (!arguments.holdsFiles()) {
            MapTypes types = exported.map(codecs::or).orElseGet(codecs::orText);
            exported.ifPresent(from -> requireAlike(types, from));
            return arguments.open(arguments.options(), types);
        }
        MapTypes stored = codecs.require(arguments.types());
        exported.ifPresent(from -> requireAlike(stored, from));
        return arguments.open(arguments.options(), stored);
    }

    private static void requireAlike(MapTypes stored, MapTypes exported) {
        if (!areAlike(stored.keyCodec(), exported.keyCodec())
                || !areAlike(stored.valueCodec(), exported.valueCodec())) {
            throw new LarderException("the map stores " + stored + ", but the export has " + exported);
        }
    }

    /** Returns whether types match. A map of bytes takes everything, and the contents of one are checked entry by entry. */
    private static boolean areAlike(String stored, String exported) {
        String bytes = ValueCodec.bytes().name();
        return stored.equals(exported) || stored.equals(bytes) || exported.equals(bytes);
    }

    private void report(Read read, long size) {
        Figures figures =
                new Figures().put("put", read.put).put("expired", read.expired).put("entries", size);
        Larder.streams(command).out().print(arguments.json() ? figures.toPrettyJson() : words(read, size));
    }

    private static String words(Read read, long size) {
        String expired = read.expired == 0 ? "" : ", " + read.expired + " had expired";
        return "put " + Counted.of(read.put, "entry") + expired + ", the map has " + size + "\n";
    }
}
