package dev.larder.server.store;

import dev.larder.map.MapOptions;
import dev.larder.map.MapTime;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;

/** Holds the kept moment of a store, for the code that opens its maps. */
final class Keeper {

    /** A time before any deadline. */
    private static final Instant NOTHING_EXPIRED = Instant.ofEpochMilli(Long.MIN_VALUE / 2);

    private final Path directory;
    private final StoreOptions options;
    private volatile KeptPoint point;

    Keeper(Path directory, StoreOptions options) {
        this.directory = directory;
        this.options = options;
        options.storage().createDirectories(directory, options.log().access().files());
        this.point = KeptPoint.read(directory, options.storage());
    }

    /** Returns the last kept moment. */
    KeptPoint point() {
        return point;
    }

    /** Records a later moment durably. */
    void keep(KeptPoint next) {
        next.write(directory, options.storage(), options.log().access().files());
        point = next;
    }

    /**
     * Returns options that take a map back to a position. The map's time is never before the last moment. The cleaner drops
     * only entries that had expired at that moment, because later changes may come again at their own times.
     */
    MapOptions options(MapOptions map, long restorePoint) {
        MapTime time = options.time().withCleaning(this::cleaning).withCalls(this::now);
        return map.withTime(time).withRestorePoint(OptionalLong.of(restorePoint));
    }

    @SuppressWarnings("ReferenceEquality") // EMPTY marks a store that was never kept
    private Instant cleaning() {
        KeptPoint last = point;
        return last == KeptPoint.EMPTY ? NOTHING_EXPIRED : Instant.ofEpochMilli(last.clockMillis());
    }

    private Instant now() {
        return Instant.ofEpochMilli(Math.max(options.clock().millis(), point.clockMillis()));
    }
}
