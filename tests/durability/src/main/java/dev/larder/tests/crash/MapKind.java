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

/** What a map does with its entries by itself. */
public enum MapKind {
    /** It keeps all of them, and leaves cleaning to whoever asks for it: so a put is at work for itself alone. */
    PLAIN,
    /** The same, and who shares it puts little: so what was removed is soon forgotten, and steps of the index become one again. */
    QUIET,
    /** It keeps to so many bytes, and leaves out what was not asked for. */
    CACHE,
    /** Each goes when its time is over. */
    LIFETIMES;

    /** How long entries live, where they do not live for ever. */
    public static final Duration LIFETIME = Duration.ofSeconds(2);

    /** Less than what the processes of a test put there. */
    private static final long CACHE_BYTES = 16L << 20;

    /** Small ones, so that there is always something to clean. */
    private static final long SEGMENT_BYTES = 2L << 20;

    /** Returns whether entries go that nobody has removed. */
    public boolean forgets() {
        return this == CACHE || this == LIFETIMES;
    }

    /** Returns how many times as long as else a member pauses. */
    int pauses() {
        return this == QUIET ? 50 : 1;
    }

    /** Opens a map of this kind. */
    public LarderMap<Long, Long> open(Path directory, Storage storage, Failpoints steps) {
        MapOptions options = options(log(storage, steps));
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options);
    }

    /** Returns how the log of a map is opened, whatever it does with its entries. */
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
