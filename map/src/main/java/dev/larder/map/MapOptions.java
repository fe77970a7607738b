package dev.larder.map;

import dev.larder.log.LogOptions;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Options for opening a map. Immutable; each {@code with} returns a changed copy.
 *
 * @param log the options of its log: layout, durability, access
 * @param cleaning how it gives space back, or evicts
 * @param lifetime how long its entries live
 * @param sharing where its index lies, for all processes that have it open
 * @param checkpoints when it writes a checkpoint of its index by itself
 * @param coldKeys how much memory the keys of cold entries may take
 * @param time the clock by which entries expire
 * @param counted whether hits and misses are counted for {@link MapInfo}; it costs each lookup a few nanoseconds
 * @param restorePoint a result of {@link LarderMap#restorePoint}, to which the first opening takes the map back: later changes
 *     are undone. 0: an empty map. From then on the cleaner keeps the records that this point needs, until
 *     {@link LarderMap#keepFrom}. Empty: no change is undone, and no record is kept for a point. So every opening in between
 *     has a restore point, too. An opening with a restore point is refused beside a process without one, and the other way
 *     round. A point whose segment was dropped is refused with a {@link dev.larder.log.GoneException}, and a point behind the
 *     end of the log with an {@link IllegalArgumentException}, as is a read-only opening with any point
 */
public record MapOptions(
        LogOptions log,
        Cleaning cleaning,
        Lifetime lifetime,
        Sharing sharing,
        Checkpoints checkpoints,
        ColdKeys coldKeys,
        MapTime time,
        boolean counted,
        OptionalLong restorePoint) {

    private static final MapOptions DEFAULTS = new MapOptions(
            LogOptions.defaults(),
            Cleaning.defaults(),
            Lifetime.endless(),
            Sharing.defaults(),
            Checkpoints.defaults(),
            ColdKeys.defaults(),
            MapTime.system(),
            false,
            OptionalLong.empty());

    /** Creates options; no part may be null. */
    public MapOptions {
        Objects.requireNonNull(log, "log");
        Objects.requireNonNull(cleaning, "cleaning");
        Objects.requireNonNull(lifetime, "lifetime");
        Objects.requireNonNull(sharing, "sharing");
        Objects.requireNonNull(checkpoints, "checkpoints");
        Objects.requireNonNull(coldKeys, "coldKeys");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(restorePoint, "restorePoint");
    }

    /** Returns the defaults: the log's defaults, all entries kept, nothing counted. */
    public static MapOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a copy with another {@link #log}. */
    public MapOptions withLog(LogOptions options) {
        return new MapOptions(options, cleaning, lifetime, sharing, checkpoints, coldKeys, time, counted, restorePoint);
    }

    /** Returns a copy with another {@link #cleaning}. */
    public MapOptions withCleaning(Cleaning way) {
        return new MapOptions(log, way, lifetime, sharing, checkpoints, coldKeys, time, counted, restorePoint);
    }

    /** Returns a copy with another {@link #lifetime}. */
    public MapOptions withLifetime(Lifetime lives) {
        return new MapOptions(log, cleaning, lives, sharing, checkpoints, coldKeys, time, counted, restorePoint);
    }

    /** Returns a copy with another {@link #sharing}. */
    public MapOptions withSharing(Sharing place) {
        return new MapOptions(log, cleaning, lifetime, place, checkpoints, coldKeys, time, counted, restorePoint);
    }

    /** Returns a copy with other {@link #checkpoints}. */
    public MapOptions withCheckpoints(Checkpoints images) {
        return new MapOptions(log, cleaning, lifetime, sharing, images, coldKeys, time, counted, restorePoint);
    }

    /** Returns a copy with other {@link #coldKeys}. */
    public MapOptions withColdKeys(ColdKeys keys) {
        return new MapOptions(log, cleaning, lifetime, sharing, checkpoints, keys, time, counted, restorePoint);
    }

    /** Returns a copy with another source of {@link #time}. */
    public MapOptions withTime(MapTime source) {
        return new MapOptions(log, cleaning, lifetime, sharing, checkpoints, coldKeys, source, counted, restorePoint);
    }

    /** Returns a copy with another {@link #counted}. */
    public MapOptions withCounted(boolean count) {
        return new MapOptions(log, cleaning, lifetime, sharing, checkpoints, coldKeys, time, count, restorePoint);
    }

    /** Returns a copy with another {@link #restorePoint}. */
    public MapOptions withRestorePoint(OptionalLong point) {
        return new MapOptions(log, cleaning, lifetime, sharing, checkpoints, coldKeys, time, counted, point);
    }
}
