package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRecords;
import dev.larder.memory.Storage;
import java.nio.file.Path;

/** The files of a map that a process holds open: what the map is, and its log. */
record MapFiles(Path directory, String identity, MapFile map, Log log, LogRecords records) implements AutoCloseable {

    /** Opens them, one after the other; on an error those that are open are closed again. */
    static MapFiles open(Path given, LogOptions options) {
        checkOptions(given, options);
        Path directory = given.toAbsolutePath().normalize();
        Storage storage = options.doors().storage();
        storage.createDirectories(directory, options.access().files());
        String identity = storage.identity(directory);
        if (!OpenMaps.enter(identity)) {
            throw new MapInUseException(directory + ": this process has the map open; one opening at a time");
        }
        try {
            return openAlone(directory, identity, options);
        } catch (RuntimeException | Error e) {
            OpenMaps.leave(identity);
            throw e;
        }
    }

    private static void checkOptions(Path directory, LogOptions options) {
        if (options.access().readOnly()) {
            throw new IllegalArgumentException(directory + ": a map cannot be opened read-only yet");
        }
        if (!options.retention().isNone()) {
            throw new IllegalArgumentException(directory + ": a map keeps what is in it; retention "
                    + options.retention() + " would drop what its index leads to");
        }
    }

    private static MapFiles openAlone(Path directory, String identity, LogOptions options) {
        MapFile map = MapFile.open(directory, options);
        try {
            Log log = Log.open(directory, options.withDoors(doors -> doors.withLinked(true)));
            try {
                return new MapFiles(directory, identity, map, log, log.records());
            } catch (RuntimeException | Error e) {
                log.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            map.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            records.close();
            log.close();
        } finally {
            map.close();
            OpenMaps.leave(identity);
        }
    }
}
