package dev.larder.memory.doubles;

import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A storage whose pages leave the memory when a test says so: from then on a page is absent until a call brings it in. Only
 * what readers and tailers ask for is looked at: blocks of a log, and what stands before the records of a segment. Pages within a
 * segment, for which a map asks, leave by {@link #evictAll}.
 */
public final class EvictingStorage extends DelegatingStorage {

    private static final int PAGE_SHIFT = 12;

    /** For less than that a log trusts that a page is there which it has brought in. */
    private static final long TRUSTED_NANOS = 12_000_000;

    private final Set<Long> present = ConcurrentHashMap.newKeySet();
    private volatile boolean evicted;
    private volatile boolean within;
    private volatile Consumer<MemorySegment> reading = pages -> {};

    /** A storage over another one. All pages are in memory. */
    public EvictingStorage(Storage storage) {
        super(storage);
    }

    /** Has all pages leave the memory, when none counts any more as one that was just brought in. */
    public void evict() {
        awaitTrustEnd();
        evicted = true;
        present.clear();
    }

    private static void awaitTrustEnd() {
        long end = System.nanoTime() + TRUSTED_NANOS;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** Has all pages leave the memory, those within segments too. */
    public void evictAll() {
        within = true;
        evict();
    }

    /** Sets what is told of pages that are absent and brought in, before they are there. It may wait, as a disk does. */
    public void onReading(Consumer<MemorySegment> listener) {
        reading = listener;
    }

    @Override
    public boolean tellsResidence() {
        return true;
    }

    @Override
    public boolean isResident(MemorySegment mapped) {
        return isResident(mapped, 0, mapped.byteSize());
    }

    @Override
    public boolean isResident(MemorySegment mapped, long offset, long bytes) {
        boolean asked = within || offset == 0; // whole blocks, and what stands before records
        return !evicted || !asked || isPresent(mapped.asSlice(offset, bytes));
    }

    private boolean isPresent(MemorySegment mapped) {
        boolean present = true;
        for (long page = first(mapped); page < end(mapped) && present; page++) {
            present = this.present.contains(page);
        }
        return present;
    }

    private static long first(MemorySegment mapped) {
        return mapped.address() >>> PAGE_SHIFT;
    }

    private static long end(MemorySegment mapped) {
        return ((mapped.address() + mapped.byteSize() - 1) >>> PAGE_SHIFT) + 1;
    }

    private void read(MemorySegment mapped) {
        if (evicted && !isPresent(mapped)) {
            reading.accept(mapped);
            add(mapped);
        }
    }

    private void add(MemorySegment mapped) {
        for (long page = first(mapped); page < end(mapped); page++) {
            present.add(page);
        }
    }

    @Override
    public void populateForRead(MemorySegment mapped) {
        read(mapped);
        super.populateForRead(mapped);
    }

    @Override
    public void populateForWrite(MemorySegment mapped) {
        add(mapped); // what is stored to need not be read
        super.populateForWrite(mapped);
    }

    @Override
    public void bringIn(MemorySegment pages, Path file, long offset) {
        read(pages);
        super.bringIn(pages, file, offset);
    }
}
