package dev.larder.tests.processes;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogMismatchException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.memory.SystemStorage;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A process that opens a map, cleans it, and says how many bytes were dropped, or what refused it: directory, storage, whether
 * it has a restore point.
 */
public final class KeptMap {

    private KeptMap() {}

    /** Does that. */
    public static void main(String[] args) {
        boolean restoring = Boolean.parseBoolean(args[2]);
        try (LarderMap<Long, byte[]> map =
                open(Path.of(args[0]), args[1], restoring ? OptionalLong.of(0) : OptionalLong.empty())) {
            map.compact();
            if (restoring) {
                map.keepFrom(map.restorePoint());
                map.compact();
            }
            System.out.println("DROPPED " + map.info().space().cleanedBytes());
        } catch (LogMismatchException e) {
            System.out.println("REFUSED " + e.getMessage());
        }
    }

    /** Opens such a map, which is cleaned on request alone. */
    public static LarderMap<Long, byte[]> open(Path directory, String storage, OptionalLong restorePoint) {
        LogOptions log = HookedOptions.withStorage(
                        LogOptions.defaults(),
                        storage.equals("system") ? SystemStorage.system() : SystemStorage.portable())
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
        MapOptions options = MapOptions.defaults()
                .withLog(log)
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withRestorePoint(restorePoint);
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
    }
}
