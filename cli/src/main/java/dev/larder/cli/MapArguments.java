package dev.larder.cli;

import dev.larder.codec.CodecFolder;
import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapTypes;
import dev.larder.map.StoredMap;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What every map command takes: the directory of the map, and whether the answer is JSON. */
final class MapArguments {

    private static final String CONTROL_FILE = "log.ctl";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = Larder.DIRECTORY, description = "The directory of the map.")
    private Path directory = Path.of("");

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Option(names = "--allow-remote", description = "Accept network, FUSE and 9p mounts, at your own risk.")
    private boolean allowRemote;

    /** Returns the directory of the map that was given, or that a shell has open. */
    Path directory() {
        return shell().map(OpenMap::directory).orElse(directory);
    }

    private Optional<OpenMap> shell() {
        return command.root().userObject() instanceof Larder
                ? Larder.session(command).map()
                : Optional.empty();
    }

    boolean json() {
        return json;
    }

    /** Options for a short visit: nothing is prepared ahead, so that a small map stays small. */
    LogOptions options() {
        return LogOptions.defaults().withAllowRemote(allowRemote).withPrepareBytes(0);
    }

    /** Returns where the codecs of a map write down how its values are to be read. */
    static CodecFolder codecFolder(Path map, LogOptions options) {
        return new CodecFolder(map, SystemStorage.system(), options.access().files());
    }

    /** Returns the names of the map's codecs. */
    MapTypes types() {
        requireMap();
        return StoredMap.types(directory, options());
    }

    /** Opens a map that is there already, by its bytes; opening never makes one by a mistyped name. */
    OpenMap open() {
        return shell().orElseGet(() -> opened(options()));
    }

    private OpenMap opened(LogOptions options) {
        MapTypes types = types();
        return new OpenMap(
                directory, open(options, types), types, text(), options.access().readOnly());
    }

    /**
     * Opens a map that is there already, to read it: beside the processes that have it open, as {@link #open()} does, or as it
     * is now where this process may not write to its files.
     */
    OpenMap openToRead() {
        return shell().orElseGet(this::openAsFarAsAllowed);
    }

    /** Opens a map that is there already to change it, or only to read it where this process may not write. */
    OpenMap openAsFarAsAllowed() {
        requireMap();
        return opened(options().withReadOnly(!mayWrite()));
    }

    private boolean mayWrite() {
        return Files.isWritable(directory) && Files.isWritable(directory.resolve(CONTROL_FILE));
    }

    /** Opens a map with codecs of these names, or makes it. */
    LarderMap<byte[], byte[]> open(LogOptions options, MapTypes types) {
        return LarderMap.open(
                directory, ValueCodec.bytesOf(types.keyCodec()), ValueCodec.bytesOf(types.valueCodec()), options);
    }

    /** Returns the keys and values of the map as text. */
    EntryText text() {
        return new EntryText(directory, options());
    }

    /** Opens the files of a map for reading, whoever has the map open. */
    StoredMap look() {
        requireMap();
        return StoredMap.open(directory(), options());
    }

    private void requireMap() {
        if (shell().isPresent()) {
            return;
        }
        refuseFile(directory);
        if (!holdsFiles()) {
            throw new LarderException("there is no map in " + directory + "; make one: larder map create " + directory);
        }
        if (!StoredMap.isIn(directory)) {
            throw new LarderException(
                    "there is no map in " + directory + ": it holds files, and no map.ctl; is it a queue's?");
        }
    }

    /** Throws if a file is where the directory should be: its name completes easily. */
    static void refuseFile(Path directory) {
        if (Files.isRegularFile(directory)) {
            throw new LarderException(directory + " is a file; name the directory that holds it");
        }
    }

    /** Returns whether anything is in the directory. */
    boolean holdsFiles() {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isPresent();
        } catch (IOException e) {
            throw new LarderException("cannot read the directory " + directory + ": " + e.getMessage(), e);
        }
    }
}
