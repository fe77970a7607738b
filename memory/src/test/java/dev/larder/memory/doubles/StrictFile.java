package dev.larder.memory.doubles;

import dev.larder.memory.Allocation;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A file of {@link StrictStorage}, which reports its use to {@link FileUse}. */
final class StrictFile extends DelegatingFile {

    private final FileUse use;

    @SuppressWarnings("this-escape") // the list of open files does nothing with it but hold it
    StrictFile(StorageFile file, FileUse use) {
        super(file);
        this.use = use;
        use.opened(this);
    }

    @Override
    public void allocate(long bytes, Allocation allocation) {
        long size = sizeBytes();
        requireUnlocked(size, bytes - size);
        super.allocate(bytes, allocation);
    }

    @Override
    public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
        MemorySegment segment = super.map(offset, length, writable, arena);
        use.mapped(segment);
        return segment;
    }

    @Override
    public void write(MemorySegment source, long offset) {
        requireUnlocked(offset, source.byteSize());
        super.write(source, offset);
    }

    @Override
    public boolean tryLock(long offset) {
        boolean obtained = super.tryLock(offset);
        if (obtained) {
            use.locks.lock(offset, this);
        }
        return obtained;
    }

    @Override
    public boolean tryLockShared(long offset) {
        boolean obtained = super.tryLockShared(offset);
        if (obtained) {
            use.locks.share(offset, this);
        }
        return obtained;
    }

    @Override
    public void unlock(long offset) {
        use.locks.unlock(offset, this);
        super.unlock(offset);
    }

    @Override
    public void close() {
        super.close();
        use.closed(this);
    }

    private void requireUnlocked(long offset, long length) {
        if (use.locks.refuses(this, offset, length)) {
            throw new StorageException(
                    path() + ": cannot write " + length + " bytes at " + offset + ": a part of them is locked");
        }
    }
}
