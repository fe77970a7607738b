package dev.larder.server.store;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.MapTime;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.time.InstantSource;
import java.util.OptionalLong;

/**
 * Options of a store. Immutable; each {@code with} returns a changed copy.
 *
 * @param sync when changes become durable by themselves
 * @param maxBytes the most bytes of its map's files; empty: no bound
 * @param evicts whether keys are evicted when there is no room, instead of an error; it requires {@code maxBytes}
 * @param segmentBytes the size that segments grow to, a power of two from 2 MiB to 4 GiB; a value may take a quarter at most
 * @param time the clock by which keys expire
 * @param kept whether the store is kept at a moment, to which each opening takes it back: see {@link KeptStore#keep}
 * @param pending whether strings may be written before their keys: see {@link Store#pending}. A store keeps its first setting
 * @param log further options of its logs
 * @param storage where its other files lie: the storage of its logs
 */
public record StoreOptions(
        SyncPolicy sync,
        OptionalLong maxBytes,
        boolean evicts,
        long segmentBytes,
        MapTime time,
        boolean kept,
        boolean pending,
        LogOptions log,
        Storage storage) {

    private static final long SEGMENT_BYTES = 256L << 20;
    private static final StoreOptions DEFAULTS = new StoreOptions(
            SyncPolicy.none(),
            OptionalLong.empty(),
            false,
            SEGMENT_BYTES,
            held(InstantSource.system()),
            false,
            false,
            LogOptions.defaults(),
            SystemStorage.system());

    /** Returns the defaults: no sync, no bound, segments of 256 MiB, the system's clock. */
    public static StoreOptions defaults() {
        return DEFAULTS;
    }

    /** Returns a copy with another {@link #sync}. */
    public StoreOptions withSync(SyncPolicy policy) {
        return new StoreOptions(policy, maxBytes, evicts, segmentBytes, time, kept, pending, log, storage);
    }

    /** Returns a copy with other {@link #maxBytes}. */
    public StoreOptions withMaxBytes(OptionalLong most, boolean evicting) {
        return new StoreOptions(sync, most, evicting, segmentBytes, time, kept, pending, log, storage);
    }

    /** Returns a copy with other {@link #segmentBytes}. */
    public StoreOptions withSegmentBytes(long bytes) {
        return new StoreOptions(sync, maxBytes, evicts, bytes, time, kept, pending, log, storage);
    }

    /** Returns the clock of {@link #time}. */
    public InstantSource clock() {
        return time.calls().orElseGet(InstantSource::system);
    }

    /** Returns a copy with another {@link #clock}, which stands still for each command: see {@link CommandClock}. */
    public StoreOptions withClock(InstantSource source) {
        return withTime(held(source));
    }

    private static MapTime held(InstantSource source) {
        CommandClock clock = new CommandClock(source);
        return MapTime.of(clock).withCleaning(clock.cleaning());
    }

    /** Returns a copy with another {@link #time}, which by itself stays the same throughout a command. */
    public StoreOptions withTime(MapTime other) {
        return new StoreOptions(sync, maxBytes, evicts, segmentBytes, other, kept, pending, log, storage);
    }

    /** Returns a copy with another {@link #kept}. */
    public StoreOptions withKept(boolean now) {
        return new StoreOptions(sync, maxBytes, evicts, segmentBytes, time, now, pending, log, storage);
    }

    /** Returns a copy with another {@link #pending}. */
    public StoreOptions withPending(boolean now) {
        return new StoreOptions(sync, maxBytes, evicts, segmentBytes, time, kept, now, log, storage);
    }

    /** Returns a copy with other {@link #log} options, and their {@link #storage}. */
    public StoreOptions withStorage(LogOptions options, Storage place) {
        return new StoreOptions(sync, maxBytes, evicts, segmentBytes, time, kept, pending, options, place);
    }
}
