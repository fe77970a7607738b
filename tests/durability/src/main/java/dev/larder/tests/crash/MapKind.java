package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.Lifetime;
import dev.larder.map.MapOptions;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.time.Duration;

/** How a map removes entries by itself. */
public enum MapKind {
    /** It keeps all entries, and cleans only when a caller asks for it, so a put does only its own work. */
    PLAIN,
    /** As {@code PLAIN}, but the processes put little. So removals are soon forgotten, and pages of the index merge. */
    QUIET,
    /** It evicts entries that were not read, to stay below a number of bytes. */
    CACHE,
    /** Each entry expires at the end of its lifetime. */
    LIFETIMES;

    /** The lifetime of entries, if they have one. */
    public static final Duration LIFETIME = Duration.ofSeconds(2);

    /** Less than the processes of a test put. */
    private static final long CACHE_BYTES = 16L << 20;

    /** Small segments, so that there is always something to clean. */
    private static final long SEGMENT_BYTES = 2L << 20;

    /** Returns whether entries disappear that no caller has removed. */
    public boolean forgets() {
        return this == CACHE || this == LIFETIMES;
    }

    /** Returns the factor by which a member's pauses are longer than usual. */
    int pauses() {
        return this == QUIET ? 50 : 1;
    }

    /** Opens a map of this kind. */
    public LarderMap<Long, Long> open(Path directory, Storage storage, Failpoints steps) {
        MapOptions options = options(log(storage, steps));
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options);
    }

    /** Returns the options of the map's log, the same for all kinds. */
    static LogOptions log(Storage storage, Failpoints steps) {
        return HookedOptions.withFailpoints(HookedOptions.withStorage(LogOptions.defaults(), storage), steps)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    private MapOptions options(LogOptions log) {
        MapOptions plain = MapOptions.defaults().withLog(log);
        return switch (this) {
            case PLAIN, QUIET -> plain.withCleaning(Cleaning.defaults().withBackground(false));
            case CACHE -> plain.withCleaning(Cleaning.evicting(CACHE_BYTES));
            case LIFETIMES -> plain.withLifetime(Lifetime.sinceWrite(LIFETIME));
        };
    }
}
