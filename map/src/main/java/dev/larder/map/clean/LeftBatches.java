package dev.larder.map.clean;

import dev.larder.log.Log;
import dev.larder.log.Position;
import dev.larder.map.checkpoint.Replay;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.shared.Batches;
import dev.larder.map.shared.Epochs;
import dev.larder.memory.LarderException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Links what loaders have left in the log: those that met an error and gave up, and those that died. Their records are linked
 * as a replay would: each where no later one of its key is. By who has the role of the cleaner, so nothing is forgotten
 * meanwhile that a record could bring back.
 */
public final class LeftBatches {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final Log log;
    private final EntryStore store;
    private final Epochs changes;
    private final Batches batches;
    private final long seed;
    private boolean told;

    public LeftBatches(Log log, EntryStore store, Epochs changes, Batches batches, long seed) {
        this.log = log;
        this.store = store;
        this.changes = changes;
        this.batches = batches;
        this.seed = seed;
    }

    /** Links all of them. One that finds no room in the index stays, and is tried again the next time. */
    void link() {
        batches.forEachLeft((line, from, to) -> {
            try {
                link(from, to < 0 ? log.endPosition() : to);
                batches.end(line);
                told = false;
            } catch (LarderException e) {
                tell(e);
            }
        });
    }

    /** The batch may begin in a segment that was dropped: what was there counts no more. */
    private void link(long from, long end) {
        Replay replay = new Replay(log, store, seed);
        long start = Math.max(from, log.firstPosition());
        if (start < end) {
            Replay.read(log, OptionalLong.of(start), end, (position, record, at, length) -> {
                link(replay, position, record, at, length);
            });
        }
    }

    private void link(Replay replay, long position, MemorySegment record, long at, int length) {
        int line = changes.pinAnyway();
        try {
            replay.link(position, record, at, length);
        } finally {
            changes.unpin(line);
        }
    }

    private void tell(LarderException failed) {
        if (!told) {
            told = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    log.directory() + ": entries of a load that was given up are not in the index yet: " + failed,
                    failed);
        }
    }

    /**
     * Passes over what is left of them before a segment: that goes with what lies there. Else a record could be linked later that
     * was replaced by what the cleaner is about to forget.
     */
    void passOver(int segment) {
        long first = Position.of(segment, 0);
        batches.forEachLeft((line, from, to) -> {
            if (to >= 0 && to <= first) {
                batches.end(line);
            } else if (from < first) {
                batches.moveTo(line, first);
            }
        });
    }
}
