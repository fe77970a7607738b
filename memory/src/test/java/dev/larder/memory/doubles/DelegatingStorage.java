package dev.larder.memory.doubles;

import dev.larder.memory.Access;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.SharedWait;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A storage that passes every call on to another one; doubles override what they change. */
public class DelegatingStorage implements Storage {

    private final Storage storage;

    /** Creates a storage over another one. */
    public DelegatingStorage(Storage storage) {
        this.storage = storage;
    }

    @Override
    public String identity(Path directory) {
        return storage.identity(directory);
    }

    @Override
    public String fileIdentity(Path file) {
        return storage.fileIdentity(file);
    }

    @Override
    public boolean replacesOpenFiles() {
        return storage.replacesOpenFiles();
    }

    @Override
    public boolean isNative() {
        return storage.isNative();
    }

    @Override
    public void createDirectories(Path directory, Access access) {
        storage.createDirectories(directory, access);
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        return storage.create(file, access);
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        return storage.open(file, writable);
    }

    @Override
    public boolean link(Path existing, Path name) {
        return storage.link(existing, name);
    }

    @Override
    public boolean rename(Path source, Path target) {
        return storage.rename(source, target);
    }

    @Override
    public boolean delete(Path file) {
        return storage.delete(file);
    }

    @Override
    public List<String> list(Path directory) {
        return storage.list(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        storage.syncDirectory(directory);
    }

    @Override
    public FileSystemKind fileSystem(Path directory) {
        return storage.fileSystem(directory);
    }

    @Override
    public String bootIdentity() {
        return storage.bootIdentity();
    }

    @Override
    public String mountIdentity(Path directory) {
        return storage.mountIdentity(directory);
    }

    @Override
    public void populateForWrite(MemorySegment mapped) {
        storage.populateForWrite(mapped);
    }

    @Override
    public void populateLargePages(MemorySegment mapped) {
        storage.populateLargePages(mapped);
    }

    @Override
    public void populateForRead(MemorySegment mapped) {
        storage.populateForRead(mapped);
    }

    @Override
    public void expect(MemorySegment mapped, AccessOrder order) {
        storage.expect(mapped, order);
    }

    @Override
    public void releasePageTables(MemorySegment mapped) {
        storage.releasePageTables(mapped);
    }

    @Override
    public Optional<String> preferHugePages(MemorySegment mapped) {
        return storage.preferHugePages(mapped);
    }

    @Override
    public Optional<String> lockPages(MemorySegment mapped) {
        return storage.lockPages(mapped);
    }

    @Override
    public void unlockPages(MemorySegment mapped) {
        storage.unlockPages(mapped);
    }

    @Override
    public void bringIn(MemorySegment mapped, Path file, long offset) {
        storage.bringIn(mapped, file, offset);
    }

    @Override
    public void startReading(MemorySegment mapped) {
        storage.startReading(mapped);
    }

    @Override
    public boolean tellsResidence() {
        return storage.tellsResidence();
    }

    @Override
    public boolean isResident(MemorySegment mapped, long offset, long bytes) {
        return storage.isResident(mapped, offset, bytes);
    }

    @Override
    public SharedWait sharedWait() {
        return storage.sharedWait();
    }

    @Override
    public long currentTimeMillis() {
        return storage.currentTimeMillis();
    }

    @Override
    public long nanoTime() {
        return storage.nanoTime();
    }
}
