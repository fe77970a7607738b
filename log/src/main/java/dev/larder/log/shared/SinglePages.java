package dev.larder.log.shared;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.lang.foreign.MemorySegment;

/**
 * Pages that are about to be written, brought in one by one. If a page of a mapped file is first read, the system maps the 16
 * pages around it. Those cost an idle log more than all else together.
 */
public final class SinglePages {

    private SinglePages() {}

    /** Brings in the pages of a range of a mapping, writable. Where that cannot be done, whoever stores there learns why. */
    public static void bringIn(MemorySegment mapped, Storage storage) {
        try {
            storage.populateForWrite(mapped);
        } catch (StorageException e) {
            // they come one by one, as they are needed
        }
    }
}
