package dev.larder.memory.doubles;

import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A file of {@link FaultyStorage}. */
final class FaultyFile extends DelegatingFile {

    private final Faults faults;

    FaultyFile(StorageFile file, Faults faults) {
        super(file);
        this.faults = faults;
    }

    @Override
    public void allocate(long bytes, Allocation allocation) {
        faults.before(StorageCall.ALLOCATE);
        super.allocate(bytes, allocation);
    }

    @Override
    public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
        faults.before(StorageCall.MAP);
        return super.map(offset, length, writable, arena);
    }

    @Override
    public void write(MemorySegment source, long offset) {
        faults.before(StorageCall.WRITE);
        super.write(source, offset);
    }

    @Override
    public void force(MemorySegment mapped) {
        faults.before(StorageCall.FORCE);
        super.force(mapped);
    }

    @Override
    public void forceAll() {
        faults.before(StorageCall.FORCE_ALL);
        super.forceAll();
    }

    @Override
    public void startWriteback(long offset, long length) {
        faults.before(StorageCall.START_WRITEBACK);
        super.startWriteback(offset, length);
    }

    @Override
    public boolean tryLock(long offset) {
        faults.before(StorageCall.TRY_LOCK);
        return super.tryLock(offset);
    }

    @Override
    public boolean tryLockShared(long offset) {
        faults.before(StorageCall.TRY_LOCK);
        return super.tryLockShared(offset);
    }
}
