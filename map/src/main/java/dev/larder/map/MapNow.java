package dev.larder.map;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.index.Directory;
import dev.larder.map.index.Index;
import dev.larder.map.index.IndexMemory;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.LiveBytes;
import dev.larder.map.shared.Processes;
import dev.larder.map.shared.Stripes;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * How an open map stands at this moment, as the memory says that its processes share: for who does not have it open.
 * Changes that are being made count, or do not.
 *
 * @param hits look-ups that found an entry, since the first process opened it
 * @param misses that found none
 * @param evicted entries that went because there was no room for all
 * @param expired entries that the cleaner found to have expired
 */
public record MapNow(
        long entries,
        long indexBytes,
        long liveBytes,
        long hits,
        long misses,
        long evicted,
        long expired,
        List<MapProcess> processes) {

    static MapNow of(IndexFile file) {
        MemorySegment memory = file.memory();
        return new MapNow(
                Index.count(new Directory(file)),
                IndexMemory.bytes(memory),
                LiveBytes.get(memory),
                Stripes.sum(memory, IndexFileLayout.STRIPE_HITS),
                Stripes.sum(memory, IndexFileLayout.STRIPE_MISSES),
                Words.getAcquire(memory, IndexFileLayout.EVICTED),
                Words.getAcquire(memory, IndexFileLayout.EXPIRED),
                Processes.entered(memory, owner -> true));
    }
}
