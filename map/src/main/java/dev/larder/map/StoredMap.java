package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A map as it lies in its files: for who looks at it, or checks it, and leaves it to others to have it open. Nothing is
 * changed.
 */
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
     * @throws ForeignFileException when there is no map
     */
    public static StoredMap open(Path given, LogOptions options) {
        Path directory = given.toAbsolutePath().normalize();
        if (!isIn(directory)) {
            throw new ForeignFileException(
                    directory + ": there is no map here, since there is no " + MapFile.FILE_NAME);
        }
        Log log = Log.open(directory, options.withReadOnly(true));
        return new StoredMap(directory, options.doors().storage(), log);
    }

    /** Returns how the map stands as its last checkpoint says. */
    public StoredMapInfo info() {
        try (Arena arena = Arena.ofShared()) {
            return info(image(arena));
        }
    }

    /** An image that cannot be believed is none: {@link #verify} tells. */
    private Optional<CheckpointImage> image(Arena arena) {
        try {
            return CheckpointImage.of(directory, storage, arena).filter(image -> image.isOf(log.info()));
        } catch (LarderException e) {
            return Optional.empty();
        }
    }

    private StoredMapInfo info(Optional<CheckpointImage> image) {
        long from = image.map(CheckpointImage::replay).orElseGet(log::firstPosition);
        long end = log.endPosition();
        return new StoredMapInfo(
                image.map(known -> OptionalLong.of(known.entries())).orElse(OptionalLong.empty()),
                image.map(known -> OptionalLong.of(known.bytes())).orElse(OptionalLong.empty()),
                image.map(CheckpointImage::liveBytes).orElse(OptionalLong.empty()),
                from,
                from >= end ? 0 : log.bytesBetween(Math.max(from, log.firstPosition()), end),
                log.info());
    }

    /** Reads everything, checks it, holds log and checkpoint against each other, and says what is damaged. */
    public MapVerifyReport verify() {
        return new MapVerification(directory, storage, log).run();
    }

    @Override
    public void close() {
        log.close();
    }
}
