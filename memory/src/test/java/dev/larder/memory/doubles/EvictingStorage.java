package dev.larder.memory.doubles;

import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A storage whose pages leave the memory on a test's command: from then on a page is absent until a call loads it.
 * {@link #evict} covers only the pages that readers and tailers check: blocks of a log, and the part before a segment's
 * records. Pages within a segment, which a map checks, leave by {@link #evictAll}.
 */
public final class EvictingStorage extends DelegatingStorage {

    private static final int PAGE_SHIFT = 12;

    /** A log trusts for less than this time that a page which it has loaded is still there. */
    private static final long TRUSTED_NANOS = 12_000_000;

    private final Set<Long> present = ConcurrentHashMap.newKeySet();
    private volatile boolean evicted;
    private volatile boolean within;
    private volatile Consumer<MemorySegment> reading = pages -> {};

    /** Creates a storage over another one, with all pages in memory. */
    public EvictingStorage(Storage storage) {
        super(storage);
    }

    /** Evicts all pages, once none counts any more as one that was just loaded. */
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

    /** Evicts all pages, including those within segments. */
    public void evictAll() {
        within = true;
        evict();
    }

    /** Sets the listener that gets absent pages before they are loaded. The listener may wait, as a disk does. */
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
        boolean asked = within || offset == 0; // whole blocks, and the part before records
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
        add(mapped); // a page that is stored to need not be read
        super.populateForWrite(mapped);
    }

    @Override
    public void bringIn(MemorySegment pages, Path file, long offset) {
        read(pages);
        super.bringIn(pages, file, offset);
    }
}
