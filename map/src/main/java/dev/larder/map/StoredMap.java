package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.WorkProgress;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.checkpoint.CheckpointReader;
import dev.larder.map.format.IndexPointer;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** A map in its files, for a process that inspects or verifies it without having it open. Nothing is changed. */
public final class StoredMap implements AutoCloseable {

    private final Path directory;
    private final Storage storage;
    private final Log log;

    private StoredMap(Path directory, Storage storage, Log log) {
        this.directory = directory;
        this.storage = storage;
        this.log = log;
    }

    /** Returns whether there is a map in a directory, by the name of its file. */
    public static boolean isIn(Path directory) {
        return java.nio.file.Files.exists(directory.resolve(MapFile.FILE_NAME));
    }

    /**
     * Opens the files of the map in a directory for reading; the options are those of its log.
     *
     * @throws ForeignFileException if there is no map
     */
    public static StoredMap open(Path given, LogOptions options) {
        Path directory = given.toAbsolutePath().normalize();
        if (!isIn(directory)) {
            throw new ForeignFileException(directory + ": there is no map here: " + MapFile.FILE_NAME + " is missing");
        }
        Log log = Log.open(directory, options.withReadOnly(true));
        return new StoredMap(directory, HookedOptions.of(options).storage(), log);
    }

    /**
     * Returns the state of the map at this moment, if this process can see processes that have it open. Otherwise it
     * returns the state of the last checkpoint.
     */
    public StoredMapInfo info() {
        try (Arena arena = Arena.ofShared()) {
            return info(image(arena));
        }
    }

    /**
     * Returns the names of the codecs of the map in a directory. The options are those of its log.
     *
     * @throws ForeignFileException if there is no map
     */
    public static MapTypes types(Path directory, LogOptions options) {
        return MapFile.read(directory, HookedOptions.of(options).storage()).types();
    }

    /** Returns the names of the codecs; empty if {@code map.ctl} cannot be read, and {@link #verify} reports why. */
    private Optional<MapTypes> typesIfReadable() {
        try {
            return Optional.of(MapFile.read(directory, storage).types());
        } catch (LarderException e) {
            return Optional.empty();
        }
    }

    /** Returns the checkpoint; a damaged one is treated as missing, and {@link #verify} reports it. */
    private Optional<CheckpointReader> image(Arena arena) {
        try {
            return CheckpointReader.of(directory, storage, arena)
                    .filter(image -> image.isOf(log.info().identity(), log.endPosition()));
        } catch (LarderException e) {
            return Optional.empty();
        }
    }

    private StoredMapInfo info(Optional<CheckpointReader> image) {
        Optional<MapNow> now = now();
        long from = image.map(CheckpointReader::replay).orElseGet(log::firstPosition);
        long end = log.endPosition();
        return new StoredMapInfo(
                typesIfReadable(),
                now.isPresent(),
                now.isPresent() ? of(now, MapNow::entries) : of(image, CheckpointReader::entries),
                now.isPresent() ? of(now, MapNow::indexBytes) : of(image, CheckpointReader::bytes),
                now.isPresent()
                        ? of(now, MapNow::liveBytes)
                        : image.map(CheckpointReader::liveBytes).orElse(OptionalLong.empty()),
                of(now, MapNow::hits),
                of(now, MapNow::misses),
                of(now, MapNow::evicted),
                of(now, MapNow::expired),
                from,
                from >= end ? 0 : log.bytesBetween(Math.max(from, log.firstPosition()), end),
                now.map(MapNow::processes).orElse(List.of()),
                log.info());
    }

    private static <T> OptionalLong of(Optional<T> source, ToLongFunction<T> figure) {
        return source.isPresent() ? OptionalLong.of(figure.applyAsLong(source.get())) : OptionalLong.empty();
    }

    /**
     * Returns the state in the shared index, if this process can see it; an index left behind by a crash gives nothing.
     */
    private Optional<MapNow> now() {
        Storage memory = storage.isNative() ? SystemStorage.system() : SystemStorage.portable();
        try {
            return IndexPointer.read(directory, storage)
                    .filter(there -> !memory.isNative() || IndexFile.isOpen(there.path(), memory))
                    .flatMap(there -> IndexFile.view(there.path(), there.opening(), memory))
                    .map(StoredMap::nowOf);
        } catch (LarderException e) {
            return Optional.empty();
        }
    }

    private static MapNow nowOf(IndexFile file) {
        try (file) {
            return MapNow.of(file);
        }
    }

    /** Reads and checks every record, compares the log and the checkpoint, and reports damage. */
    public MapVerifyReport verify() {
        return verify((done, total) -> {});
    }

    /**
     * Reads and checks every record, compares the log and the checkpoint, and reports damage.
     *
     * @param progress called after each segment
     */
    public MapVerifyReport verify(WorkProgress progress) {
        return new MapVerification(directory, storage, log).run(progress);
    }

    @Override
    public void close() {
        log.close();
    }
}
