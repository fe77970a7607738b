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
 * A process that opens a map, cleans it, and prints how many bytes were dropped, or which error it got. Arguments: directory,
 * storage, kind of work.
 */
public final class KeptMap {

    /** The kind of work. */
    enum Work {
        /** Cleans, without a restore point. */
        CLEAN,
        /** Cleans, sets a restore point after that, and drops the segments that were kept. */
        CLEAN_AND_DROP,
        /** Sets a restore point, and cleans nothing. */
        KEEP
    }

    private KeptMap() {}

    /** Runs the program. */
    public static void main(String[] args) {
        Work work = Work.valueOf(args[2]);
        OptionalLong point = work == Work.CLEAN ? OptionalLong.empty() : OptionalLong.of(0);
        try (LarderMap<Long, byte[]> map = open(Path.of(args[0]), args[1], point)) {
            if (work != Work.KEEP) {
                map.compact();
            }
            if (work != Work.CLEAN) {
                map.keepFrom(map.restorePoint());
            }
            if (work == Work.CLEAN_AND_DROP) {
                map.compact();
            }
            System.out.println("DROPPED " + map.info().space().cleanedBytes());
        } catch (LogMismatchException e) {
            System.out.println("REFUSED " + e.getMessage());
        }
    }

    /** Opens the map, which is cleaned only on request. */
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
