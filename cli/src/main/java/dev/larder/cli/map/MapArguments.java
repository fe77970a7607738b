package dev.larder.cli.map;

import dev.larder.cli.GivenDirectory;
import dev.larder.cli.Larder;
import dev.larder.cli.entry.EntryText;
import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapTypes;
import dev.larder.map.StoredMap;
import dev.larder.memory.LarderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of every map command: the directory of the map, and whether the answer is JSON. */
public final class MapArguments {

    private static final String CONTROL_FILE = "log.ctl";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(index = "0", paramLabel = Larder.DIRECTORY, description = "The directory of the map.")
    private Path directory = Path.of("");

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Option(names = "--allow-remote", description = "Accept network, FUSE and 9p mounts, at your own risk.")
    private boolean allowRemote;

    /** Returns the directory of the given map, or of the map that a shell has open. */
    Path directory() {
        return shell().map(OpenMap::directory).orElse(directory);
    }

    private Optional<OpenMap> shell() {
        return command.root().userObject() instanceof Larder
                ? Larder.session(command).open(OpenMap.class)
                : Optional.empty();
    }

    boolean json() {
        return json;
    }

    /** Returns options for one command: no space is prepared ahead, so that a small map stays small. */
    public LogOptions options() {
        return LogOptions.defaults().withAllowRemote(allowRemote).withPrepareBytes(0);
    }

    /** Returns the names of the map's codecs. */
    MapTypes types() {
        requireMap();
        return StoredMap.types(directory, options());
    }

    /** Opens an existing map, by its bytes. A mistyped name never creates a map. */
    public OpenMap open() {
        return shell().orElseGet(() -> opened(options()));
    }

    private OpenMap opened(LogOptions options) {
        MapTypes types = types();
        return new OpenMap(
                directory, open(options, types), types, text(), options.access().readOnly());
    }

    /**
     * Opens an existing map for reading: beside the processes that have it open, as {@link #open()} does. If this process may
     * not write to the map's files, it opens the map as it is now.
     */
    OpenMap openToRead() {
        return shell().orElseGet(this::openAsFarAsAllowed);
    }

    /** Opens an existing map for changes, or only for reading if this process may not write. */
    OpenMap openAsFarAsAllowed() {
        requireMap();
        return opened(options().withReadOnly(!mayWrite()));
    }

    private boolean mayWrite() {
        return Files.isWritable(directory) && Files.isWritable(directory.resolve(CONTROL_FILE));
    }

    /** Opens or creates a map with codecs of these names. */
    public LarderMap<byte[], byte[]> open(LogOptions options, MapTypes types) {
        return LarderMap.open(
                directory, ValueCodec.bytesOf(types.keyCodec()), ValueCodec.bytesOf(types.valueCodec()), options);
    }

    /** Returns the keys and values of the map as text. */
    EntryText text() {
        return new EntryText(directory, options());
    }

    /** Opens the files of a map for reading, even if other processes have the map open. */
    StoredMap look() {
        requireMap();
        return StoredMap.open(directory(), options());
    }

    private void requireMap() {
        if (shell().isPresent()) {
            return;
        }
        GivenDirectory.refuseFile(directory);
        if (!holdsFiles()) {
            throw new LarderException("there is no map in " + directory + "; make one: larder map create " + directory);
        }
        if (!StoredMap.isIn(directory)) {
            throw new LarderException("there is no map in " + directory + ": it has no map.ctl"
                    + (Files.exists(directory.resolve("log.ctl")) ? ", but may hold a queue" : ""));
        }
    }

    /** Returns whether the directory is not empty. */
    boolean holdsFiles() {
        return GivenDirectory.holdsFiles(directory);
    }
}
