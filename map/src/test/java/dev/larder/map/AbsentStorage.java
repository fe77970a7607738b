package dev.larder.map;

import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Reports every page as not in memory, and counts how often a caller loads some. */
final class AbsentStorage extends DelegatingStorage {

    private final AtomicLong broughtIn = new AtomicLong();

    AbsentStorage() {
        super(TestMaps.storage());
    }

    @Override
    public boolean tellsResidence() {
        return true;
    }

    @Override
    public boolean isResident(MemorySegment mapped) {
        return false;
    }

    @Override
    public boolean isResident(MemorySegment mapping, long offset, long bytes) {
        return false;
    }

    @Override
    public void bringIn(MemorySegment pages, Path file, long offset) {
        broughtIn.incrementAndGet();
        super.bringIn(pages, file, offset);
    }

    long broughtIn() {
        return broughtIn.get();
    }
}
