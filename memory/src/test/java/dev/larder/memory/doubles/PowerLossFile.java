package dev.larder.memory.doubles;

import dev.larder.memory.Allocation;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file of {@link PowerLossStorage}. */
final class PowerLossFile implements StorageFile {

    private final PowerLossStorage storage;
    private final Path path;
    private final PowerLossContent content;

    PowerLossFile(PowerLossStorage storage, Path path, PowerLossContent content) {
        this.storage = storage;
        this.path = path;
        this.content = content;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long sizeBytes() {
        return storage.locked(() -> content.sizeBytes);
    }

    @Override
    public void allocate(long bytes, Allocation allocation) {
        storage.change(() -> storage.resize(content, bytes));
    }

    @Override
    public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
        if (offset + length > sizeBytes()) {
            throw new TruncatedException(path + ": cannot map " + length + " bytes at " + offset + ": the file is "
                    + sizeBytes() + " bytes long");
        }
        MemorySegment mapped = content.cache.asSlice(offset, length);
        return writable ? mapped : mapped.asReadOnly();
    }

    @Override
    public void write(MemorySegment source, long offset) {
        storage.change(() -> MemorySegment.copy(source, 0, content.cache, offset, source.byteSize()));
    }

    @Override
    public boolean writesAreCoherent() {
        return true;
    }

    @Override
    public void force(MemorySegment mapped) {
        storage.force(content, mapped.address() - content.cache.address(), mapped.byteSize());
    }

    @Override
    public void forceAll() {
        storage.force(content, 0, sizeBytes());
    }

    @Override
    public void startWriteback(long offset, long length) {
        storage.writeBack(content, offset, length);
    }

    @Override
    public boolean tryLock(long offset) {
        return content.locks.lock(offset, this);
    }

    @Override
    public boolean tryLockShared(long offset) {
        return content.locks.share(offset, this);
    }

    @Override
    public void unlock(long offset) {
        content.locks.unlock(offset, this);
    }

    @Override
    public void close() {
        content.locks.close(this);
    }
}
