package dev.larder.map;

import dev.larder.log.layer.DiskWaits;
import dev.larder.map.entry.Changes;
import dev.larder.map.entry.Computations;
import dev.larder.map.entry.EntryWalk;
import dev.larder.map.entry.KeyGroups;
import dev.larder.map.entry.PendingHome;
import dev.larder.map.entry.Reads;
import dev.larder.map.entry.RemovalNotifier;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.KeyHash;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.format.Placement;
import dev.larder.map.index.Condition;
import dev.larder.map.index.IndexWalk;
import dev.larder.memory.raw.EarlyClasses;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open map, as {@link LarderMap} uses it: one that may be changed ({@link WritingSession}), or only read ({@link
 * ReadingSession}).
 */
abstract class MapSession<K, V> implements AutoCloseable {

    static {
        EarlyClasses.initialize(
                Condition.class,
                Deadline.class,
                EntryLayout.class,
                IndexWord.class,
                KeyHash.class,
                PendingLayout.class,
                Placement.class);
    }

    abstract Path directory();

    abstract Reads<K, V> lookups();

    abstract Changes<K, V> changes();

    abstract Computations<K, V> computations();

    /** Returns the part that reads and changes many keys together. */
    abstract KeyGroups<K, V> groups();

    /** Returns the part that calls the removal listener. */
    abstract RemovalNotifier<K, V> removals();

    /** Returns whether this process has met an entry that expires. */
    abstract boolean hasMetExpiry();

    /** Returns a loader of so many entries, with a thread state of its own; 0 if the number is unknown. */
    abstract MapLoader<K, V> loader(long expectedEntries);

    /** Runs changes of this thread, which fail if they would have to wait. */
    abstract <T extends @Nullable Object> T withoutWaiting(Supplier<T> changes);

    /** Runs calls of this thread, which fail if they would have to wait for the disk. */
    final <T extends @Nullable Object> T withoutReading(Supplier<T> calls) {
        requireOpen();
        DiskWaits waits = DiskWaits.ofThisThread();
        boolean before = waits.forbid(true);
        try {
            return calls.get();
        } finally {
            waits.forbid(before);
        }
    }

    abstract void requireOpen();

    /** Returns whether pages of the log were missing lately. */
    abstract boolean arePagesMissing();

    /** Returns a walk over all entries. */
    final EntryWalk<K, V> walk() {
        return walkFrom(0);
    }

    /** Returns a walk that continues at a cursor. */
    final EntryWalk<K, V> walk(long cursor) {
        if (!IndexWalk.isCursor(cursor)) {
            throw new IllegalArgumentException(directory() + ": " + cursor + " is not a cursor of a scan");
        }
        return walkFrom(cursor);
    }

    abstract EntryWalk<K, V> walkFrom(long cursor);

    /** Takes a snapshot for an opening. */
    abstract MapSnapshot<K, V> snapshot(Object owner);

    /** Closes the snapshots that an opening has taken. */
    abstract void closeSnapshotsOf(Object owner);

    abstract long count();

    /** Returns whether no other process has changed the map: one may have been killed before it counted its changes. */
    abstract boolean isCountSure();

    /** Returns the bytes of the records of all entries. */
    abstract long liveBytes();

    /** Sets whether uses of entries are recorded. */
    abstract void noteUses(boolean noted);

    abstract void sync();

    abstract long restorePoint();

    abstract void keepFrom(long restorePoint);

    /** Returns the parts by which pending records are appended and read. */
    abstract PendingHome<K, V> pending();

    abstract void checkpoint();

    /** Lets the closing write no checkpoint. */
    abstract void leaveOutLastCheckpoint();

    abstract void compact();

    abstract MapInfo info();

    /** Throws if this thread is in the middle of a call that a closing waits for. */
    abstract void requireClosable();

    @Override
    public abstract void close();
}
