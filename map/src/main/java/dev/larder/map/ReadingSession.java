package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.ReadOnlyException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.checkpoint.FrozenIndex;
import dev.larder.map.entry.AccessTracker;
import dev.larder.map.entry.Changes;
import dev.larder.map.entry.Computations;
import dev.larder.map.entry.EntryWalk;
import dev.larder.map.entry.KeyGroups;
import dev.larder.map.entry.MapParts;
import dev.larder.map.entry.PendingHome;
import dev.larder.map.entry.Reads;
import dev.larder.map.entry.RemovalNotifier;
import dev.larder.map.entry.Room;
import dev.larder.map.entry.ThreadState;
import dev.larder.map.entry.ThreadStates;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map that was opened read-only: its entries at that moment, in an index of this process's own ({@link FrozenIndex}). It
 * changes no file of the map, and other processes do not learn of it. So each opening has a session of its own.
 */
final class ReadingSession<K, V> extends MapSession<K, V> {

    private final Path directory;
    private final MapTypes types;
    private final Log log;
    private final Runnable leave;
    private final FrozenIndex index;
    private final MapParts parts;
    private final Instant instant;
    private final ThreadStates.Maker<K, V> maker;
    private final ThreadStates<K, V> desks;
    private final Reads<K, V> lookups;
    private final KeyGroups<K, V> groups;
    private final Set<MapSnapshot<K, V>> snapshots = new HashSet<>();
    private boolean ended;

    private ReadingSession(
            MapTypes types,
            Log log,
            Runnable leave,
            LogOptions options,
            FrozenIndex index,
            Instant instant,
            ValueCodec<K> keys,
            ValueCodec<V> values) {
        this.directory = log.directory();
        this.types = types;
        this.log = log;
        this.leave = leave;
        this.index = index;
        this.parts = index.parts();
        this.instant = instant;
        this.maker = own -> new ThreadState<>(directory, options, keys, values, own);
        this.desks = new ThreadStates<>(parts, "map", maker);
        AccessTracker uses = AccessTracker.unnoted(parts, desks);
        this.lookups = new Reads<>(parts, desks, uses, keys);
        RemovalNotifier<K, V> removals = new RemovalNotifier<>(directory, parts.records(), desks);
        Changes<K, V> refused = new Changes<>(parts, desks, lookups, removals);
        this.groups = new KeyGroups<>(parts, desks, lookups, refused, uses);
    }

    /**
     * Opens the map in a directory.
     *
     * @throws dev.larder.memory.ForeignFileException if there is no map
     * @throws IllegalArgumentException if the options request a restore point: going back to it writes to the log
     */
    static <K, V> ReadingSession<K, V> open(Path given, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        Path directory = given.toAbsolutePath().normalize();
        if (options.restorePoint().isPresent()) {
            throw new IllegalArgumentException(
                    directory + ": a read-only opening cannot take the map back to a restore point");
        }
        ReadingSession<K, V> session = null;
        while (session == null) {
            MapFile.Parameters map = read(directory, keys, values, options);
            session = openIfStill(map, directory, keys, values, options);
        }
        return session;
    }

    private static MapFile.Parameters read(
            Path directory, ValueCodec<?> keys, ValueCodec<?> values, MapOptions options) {
        MapFile.Parameters map =
                MapFile.read(directory, HookedOptions.of(options.log()).storage());
        MapFile.requireSame(directory.resolve(MapFile.FILE_NAME), map.types(), MapTypes.of(keys, values));
        return map;
    }

    /** Returns null if the map was removed and another one made before the log was opened: the log may be the other map's. */
    private static <K, V> @Nullable ReadingSession<K, V> openIfStill(
            MapFile.Parameters map, Path directory, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        LogOptions reading = HookedOptions.with(options.log(), hooks -> hooks.withLinked(true));
        Runnable leave = OpenSessions.enterReadOnly(directory, options);
        Log log = null;
        try {
            log = Log.open(directory, reading);
            if (!read(directory, keys, values, options).equals(map)) {
                close(log, leave);
                return null;
            }
            long millis = Deadlines.millis(
                            options.time().calls(), HookedOptions.of(reading).storage()::currentTimeMillis)
                    .getAsLong();
            Deadlines deadlines = new Deadlines(Lifetime.endless(), () -> millis);
            FrozenIndex index = FrozenIndex.of(
                    log, reading, options.sharing().folder(), map.seed(), deadlines, new NoRoom(directory));
            Instant instant = Instant.ofEpochMilli(millis);
            return new ReadingSession<>(map.types(), log, leave, reading, index, instant, keys, values);
        } catch (RuntimeException | Error e) {
            close(log, leave);
            throw e;
        }
    }

    private static void close(@Nullable Log log, Runnable leave) {
        try {
            if (log != null) {
                log.close();
            }
        } finally {
            leave.run();
        }
    }

    /** The room that a change asks for first; every request is refused. */
    private record NoRoom(Path directory) implements Room {

        @Override
        public boolean hasRoom() {
            return false;
        }

        @Override
        public void look() {}

        @Override
        public void await(boolean removal, ThreadState<?, ?> own) {
            throw refused(directory);
        }

        @Override
        public NoRoomYetException noRoomYet(DiskFullException met) {
            throw refused(directory);
        }

        @Override
        public void makeRoom(DiskFullException met, int tries, boolean removal) {
            throw refused(directory);
        }
    }

    private static ReadOnlyException refused(Path directory) {
        return new ReadOnlyException(directory + ": the map was opened read-only");
    }

    private ReadOnlyException refused() {
        desks.checkOpen();
        return refused(directory);
    }

    @Override
    Path directory() {
        return directory;
    }

    @Override
    Reads<K, V> lookups() {
        return lookups;
    }

    @Override
    Changes<K, V> changes() {
        throw refused();
    }

    @Override
    Computations<K, V> computations() {
        throw refused();
    }

    @Override
    KeyGroups<K, V> groups() {
        desks.checkOpen();
        return groups;
    }

    @Override
    RemovalNotifier<K, V> removals() {
        throw refused();
    }

    @Override
    boolean hasMetExpiry() {
        desks.checkOpen();
        return parts.deadlines().areMet();
    }

    @Override
    void requireOpen() {
        desks.checkOpen();
    }

    @Override
    boolean arePagesMissing() {
        desks.checkOpen();
        return parts.records().arePagesMissing();
    }

    @Override
    MapLoader<K, V> loader(long expectedEntries) {
        throw refused();
    }

    @Override
    <T extends @Nullable Object> T withoutWaiting(Supplier<T> changes) {
        desks.checkOpen();
        return changes.get();
    }

    @Override
    long liveBytes() {
        return info().space().liveBytes();
    }

    @Override
    void noteUses(boolean noted) {
        throw refused();
    }

    @Override
    EntryWalk<K, V> walkFrom(long cursor) {
        return new EntryWalk<>(parts, desks, lookups, cursor);
    }

    /** Returns a snapshot that shares this session's index, which already shows a single moment. */
    @Override
    synchronized MapSnapshot<K, V> snapshot(Object owner) {
        if (ended) {
            throw new ClosedException(directory + ": the map was closed");
        }
        MapSnapshot<K, V> taken =
                new MapSnapshot<>(parts, instant, new ThreadStates<>(parts, "snapshot", maker), this::forget);
        snapshots.add(taken);
        return taken;
    }

    private synchronized void forget(MapSnapshot<K, V> closed) {
        snapshots.remove(closed);
    }

    @Override
    synchronized void closeSnapshotsOf(Object owner) {
        Set.copyOf(snapshots).forEach(MapSnapshot::close);
    }

    @Override
    long count() {
        desks.checkOpen();
        return parts.index().count();
    }

    @Override
    boolean isCountSure() {
        return true;
    }

    @Override
    void sync() {
        throw refused();
    }

    @Override
    long restorePoint() {
        throw refused();
    }

    @Override
    PendingHome<K, V> pending() {
        throw refused();
    }

    @Override
    void keepFrom(long restorePoint) {
        throw refused();
    }

    @Override
    void checkpoint() {
        throw refused();
    }

    @Override
    void leaveOutLastCheckpoint() {} // it writes none

    @Override
    void compact() {
        throw refused();
    }

    @Override
    MapInfo info() {
        desks.checkOpen();
        IndexMemory memory = parts.index().memory();
        return new MapInfo(types, count(), memory.steps(), memory.bytes(), 0, List.of(), 0, 0, space(), log.info());
    }

    private MapSpace space() {
        LogRecords records = parts.records();
        long live = parts.index().live().get();
        long dead = Math.max(0, records.usedBytes() - live);
        return new MapSpace(live, dead, records.fileBytes(), 0, 0, 1, 0, 0, Optional.empty());
    }

    @Override
    void requireClosable() {}

    @Override
    public synchronized void close() {
        if (ended) {
            return;
        }
        ended = true;
        desks.close();
        closeSnapshotsOf(this);
        parts.index().end();
        try {
            index.close();
        } finally {
            close(log, leave);
        }
    }
}
