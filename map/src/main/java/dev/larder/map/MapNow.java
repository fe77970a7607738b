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
 * The state of an open map at this moment, read from the memory that its processes share, by a process that does not
 * have it open. A concurrent change may be counted or not.
 *
 * @param entries the number of its entries
 * @param indexBytes the memory that the index has requested
 * @param liveBytes bytes of the records of its entries
 * @param hits lookups that found an entry, since the first process opened the map
 * @param misses lookups that found none
 * @param evicted entries that were evicted
 * @param expired expired entries that the cleaner found
 * @param processes the processes that have the map open
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
