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
 * Links the batches that loaders left in the log: loaders that met an error and gave up, and those that died. Each record is
 * linked as in a replay, unless a later one of its key is linked. The thread that cleans does this, so the cleaner forgets no
 * removal meanwhile whose key such a record could bring back.
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

    /** Links all left batches. One that finds no room in the index stays, and is tried again the next time. */
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

    /** Links a batch. It may begin in a segment that was dropped: its records there no longer count. */
    private void link(long from, long end) {
        Replay replay = new Replay(store, seed);
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
                    log.directory() + ": entries of an abandoned load are not in the index yet: " + failed,
                    failed);
        }
    }

    /**
     * Passes over the parts of left batches before a segment, which go with the records there. Otherwise a record could be
     * linked later although the record that replaced it is about to be forgotten by the cleaner.
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
