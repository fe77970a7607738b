package dev.larder.memory.doubles;

import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A file that passes every call on to another one; doubles override what they change. */
public class DelegatingFile implements StorageFile {

    private final StorageFile file;

    /** Creates a file over another one. */
    public DelegatingFile(StorageFile file) {
        this.file = file;
    }

    @Override
    public Path path() {
        return file.path();
    }

    @Override
    public long sizeBytes() {
        return file.sizeBytes();
    }

    @Override
    public void allocate(long bytes, Allocation allocation) {
        file.allocate(bytes, allocation);
    }

    @Override
    public boolean discard(long offset, long bytes) {
        return file.discard(offset, bytes);
    }

    @Override
    public boolean clear(long offset, long bytes) {
        return file.clear(offset, bytes);
    }

    @Override
    public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
        return file.map(offset, length, writable, arena);
    }

    @Override
    public void write(MemorySegment source, long offset) {
        file.write(source, offset);
    }

    @Override
    public boolean writesAreCoherent() {
        return file.writesAreCoherent();
    }

    @Override
    public void force(MemorySegment mapped) {
        file.force(mapped);
    }

    @Override
    public void forceAll() {
        file.forceAll();
    }

    @Override
    public void startWriteback(long offset, long length) {
        file.startWriteback(offset, length);
    }

    @Override
    public boolean tryLock(long offset) {
        return file.tryLock(offset);
    }

    @Override
    public boolean tryLockShared(long offset) {
        return file.tryLockShared(offset);
    }

    @Override
    public boolean isLocked(long offset) {
        return file.isLocked(offset);
    }

    @Override
    public void unlock(long offset) {
        file.unlock(offset);
    }

    @Override
    public void close() {
        file.close();
    }
}
