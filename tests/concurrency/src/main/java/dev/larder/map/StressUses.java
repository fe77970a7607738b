package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.Failpoints;
import dev.larder.map.checkpoint.MapFiles;
import dev.larder.map.clean.Cleaner;
import dev.larder.map.clean.LeftBatches;
import dev.larder.map.clean.SpaceGovernor;
import dev.larder.map.entry.AccessTracker;
import dev.larder.map.entry.MapParts;
import dev.larder.map.entry.ThreadState;
import dev.larder.map.entry.ThreadStates;
import dev.larder.map.index.Deadlines;
import dev.larder.map.index.Lookup;
import dev.larder.map.shared.Batches;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.PendingFloor;
import java.time.Duration;
import java.util.OptionalLong;

/** Uses of entries whose time since use is shorter than the map's present one: each use must prolong its entry. */
final class StressUses {

    final StressIndex all = new StressIndex();
    private final Deadlines shorter = sinceUse(Duration.ofHours(2));
    private final Deadlines deadlines = sinceUse(Duration.ofHours(4));
    private final AccessTracker uses;

    StressUses() {
        StressProcess by = all.one;
        MapFiles files = all.files();
        Epochs reads = Epochs.ofReads(files.index(), by.processes);
        LeftBatches none = new LeftBatches(
                files.log(),
                by.store,
                by.changes,
                new Batches(files.index(), by.processes),
                files.map().seed());
        Cleaner cleaner = new Cleaner(
                files,
                by.processes,
                by.index,
                by.changes,
                reads,
                by.carrier(),
                none,
                new PendingFloor(files.index(), false),
                OptionalLong.empty(),
                Failpoints.NONE);
        SpaceGovernor space = new SpaceGovernor(
                files.directory(),
                by.records,
                by.index,
                Cleaning.defaults(),
                files.index().opening().largestSegmentBytes(),
                cleaner,
                reads,
                files.index());
        MapParts parts = new MapParts(
                files.directory(),
                files.map().seed(),
                by.records,
                by.index,
                by.store,
                space,
                by.changes,
                reads,
                deadlines);
        ValueCodec<Long> codec = ValueCodec.longs();
        ThreadStates<Long, Long> desks = new ThreadStates<>(
                parts, "map", own -> new ThreadState<>(files.directory(), LogOptions.defaults(), codec, codec, own));
        uses = AccessTracker.unnoted(parts, desks);
    }

    private static Deadlines sinceUse(Duration time) {
        return new Deadlines(Lifetime.sinceUse(time), System::currentTimeMillis);
    }

    /** Puts an entry with the shorter time. */
    void putShorter(long key, long value) {
        Lookup probe = all.one.probe(key);
        probe.deadline = shorter.next(probe);
        all.one.put(probe, value);
    }

    /** Looks a key up, as a map does; returns its value. */
    long use(long key) {
        Lookup probe = all.one.probe(key);
        all.one.store.find(probe);
        long value = all.one.value(probe);
        uses.note(probe);
        return value;
    }

    /** Returns whether a lookup has found an entry that was prolonged. */
    boolean isProlonged(Lookup found) {
        return found.isPresent() && !deadlines.isDueAtUse(found);
    }
}
