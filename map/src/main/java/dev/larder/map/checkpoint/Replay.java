package dev.larder.map.checkpoint;

import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.PendingLayout;
import dev.larder.map.index.Lookup;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** The log read again into the index, from a position on: in the end the last record of each key is linked. */
public final class Replay {

    private static final int TRIES = 3000;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final int RECORDS_AT_ONCE = 1 << 12;

    /** Receives a record. */
    @FunctionalInterface
    public interface EntryHandler {
        void onEntry(long position, MemorySegment record, long at, int length);
    }

    private final EntryStore store;
    private final long seed;
    private final Lookup probe = new Lookup();

    public Replay(EntryStore store, long seed) {
        this.store = store;
        this.seed = seed;
    }

    /** Links a record, unless a later one of its key is linked. Notes that it has a deadline. */
    public void link(long position, MemorySegment record, long at, int length) {
        if (EntryLayout.deadline(record, at) != Deadline.NONE) {
            store.noteExpiring();
        }
        probe.take(record, at, seed);
        store.find(probe);
        long live = EntryLayout.liveLength(record, at, length);
        store.linkCommitted(probe, position, live, EntryLayout.isRemoval(EntryLayout.kind(record, at)));
    }

    /** Hands over each record of an entry or a removal between two positions. */
    public static void read(Log log, OptionalLong from, long end, EntryHandler handler) {
        readAll(log, from, end, (position, record, at, length) -> {
            if (!PendingLayout.isPending(record, at, length)) {
                requireEntry(log, position, record, at, length);
                handler.onEntry(position, record, at, length);
            }
        });
    }

    /** Hands over each pending record between two positions. */
    public static void readPending(Log log, OptionalLong from, long end, EntryHandler handler) {
        readAll(log, from, end, (position, record, at, length) -> {
            if (PendingLayout.isPending(record, at, length)) {
                handler.onEntry(position, record, at, length);
            } else {
                requireEntry(log, position, record, at, length);
            }
        });
    }

    private static void readAll(Log log, OptionalLong from, long end, EntryHandler handler) {
        try (LogReader reader = log.reader()) {
            from.ifPresent(reader::moveTo);
            int tries = 0;
            while (reader.position() < end) {
                int read = reader.drain(
                        (segment, at, length) -> {
                            if (reader.position() < end) {
                                handler.onEntry(reader.position(), segment, at, length);
                            }
                        },
                        RECORDS_AT_ONCE);
                tries = read > 0 ? 0 : tries + 1;
                if (read == 0 && reader.position() < end) {
                    await(log, reader.position(), tries);
                }
            }
        }
    }

    /**
     * Waits for a claimed record. Another process may have the log open, and have left the claim: the reader finds out
     * whether that process is dead.
     */
    private static void await(Log log, long position, int tries) {
        if (tries > TRIES) {
            throw new LogBusyException(log.directory() + ": the record at position " + Position.toString(position)
                    + " has been claimed for 30 s and is not committed: its writer is stopped, or its"
                    + " writer died and no process has recovered that yet");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    private static void requireEntry(Log log, long position, MemorySegment segment, long offset, int length) {
        if (!EntryLayout.isEntry(segment, offset, length)) {
            throw new CorruptException(log.directory() + ": the record at position " + Position.toString(position)
                    + ", of " + length + " bytes, is not an entry of a map");
        }
    }
}
