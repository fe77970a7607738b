package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** The log read again into the index, from a position on: what is linked in the end is the last record of each key. */
final class Replay {

    private static final int TRIES = 3000;
    private static final long PAUSE_NANOS = 10_000_000;

    private final Log log;
    private final EntryStore store;
    private final long seed;
    private final Probe probe = new Probe();

    Replay(Log log, EntryStore store, long seed) {
        this.log = log;
        this.store = store;
        this.seed = seed;
    }

    /** Reads up to where the log ends now. */
    void run(OptionalLong from) {
        long end = log.endPosition();
        try (LogReader reader = log.reader()) {
            from.ifPresent(reader::moveTo);
            int tries = 0;
            while (reader.position() < end) {
                int read = reader.drain((segment, offset, length) -> take(reader, segment, offset, length), 1 << 16);
                tries = read > 0 ? 0 : tries + 1;
                if (read == 0 && reader.position() < end) {
                    await(reader.position(), tries);
                }
            }
        }
    }

    /** Another process may have the log open, and have left a claim: the reader finds out whether it is dead. */
    private void await(long position, int tries) {
        if (tries > TRIES) {
            throw new LogBusyException(log.directory() + ": the record at position " + Position.toString(position)
                    + " is still being written by a live process that has the log open, and not the map");
        }
        java.util.concurrent.locks.LockSupport.parkNanos(PAUSE_NANOS);
    }

    private void take(LogReader reader, MemorySegment segment, long offset, int length) {
        if (!EntryLayout.isEntry(segment, offset, length)) {
            throw new CorruptException(log.directory() + ": the record at position "
                    + Position.toString(reader.position()) + ", of " + length + " bytes, is no entry of a map");
        }
        int keyLength = EntryLayout.keyLength(segment, offset);
        MemorySegment.copy(segment, offset + EntryLayout.HEADER_BYTES, probe.keyOf(keyLength), 0, keyLength);
        probe.hash(seed);
        store.replay(probe, reader.position(), length, EntryLayout.isRemoval(EntryLayout.kind(segment, offset)));
    }
}
