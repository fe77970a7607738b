package dev.larder.log.shared;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.lang.foreign.MemorySegment;

/**
 * Loads pages that are about to be written one by one. If a page of a mapped file is first read, the system maps the 16 pages
 * around it. Those cost an idle log more than all else together.
 */
public final class SinglePages {

    private SinglePages() {}

    /** Loads the pages of a range of a mapping, writable. If that fails, a thread that stores there meets the error. */
    public static void bringIn(MemorySegment mapped, Storage storage) {
        try {
            storage.populateForWrite(mapped);
        } catch (StorageException e) {
            // the pages come one by one, as they are needed
        }
    }
}
