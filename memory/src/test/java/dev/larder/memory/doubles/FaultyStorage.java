package dev.larder.memory.doubles;

import dev.larder.memory.Access;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A storage whose n-th call of a kind fails, and whose clock can be set.
 *
 * <p>A call that fails has done nothing. Calls are counted, from 1, over all files and threads.
 */
public final class FaultyStorage extends DelegatingStorage {

    private final Faults faults = new Faults();
    private volatile OptionalLong currentTimeMillis = OptionalLong.empty();

    /** Creates a storage without faults as yet, over another one. */
    public FaultyStorage(Storage storage) {
        super(storage);
    }

    /** Lets the n-th call of a kind fail, counted from the first call ever; those after it succeed. */
    public void fail(StorageCall call, long number, Supplier<? extends RuntimeException> failure) {
        faults.add(call, number, number, failure);
    }

    /** Lets every call of a kind fail, from the n-th on. */
    public void failFrom(StorageCall call, long number, Supplier<? extends RuntimeException> failure) {
        faults.add(call, number, Long.MAX_VALUE, failure);
    }

    /** Lets no further call fail. */
    public void heal() {
        faults.clear();
    }

    /** Returns how many calls of a kind were made, including those that failed. */
    public long count(StorageCall call) {
        return faults.count(call);
    }

    /** Stops the clock at a time of day, in milliseconds since 1970; the time may be ahead or in the past. */
    public void setCurrentTimeMillis(long millis) {
        currentTimeMillis = OptionalLong.of(millis);
    }

    @Override
    public long currentTimeMillis() {
        return currentTimeMillis.orElseGet(super::currentTimeMillis);
    }

    @Override
    public void createDirectories(Path directory, Access access) {
        faults.before(StorageCall.CREATE_DIRECTORIES);
        super.createDirectories(directory, access);
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        faults.before(StorageCall.CREATE);
        return super.create(file, access).map(created -> new FaultyFile(created, faults));
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        faults.before(StorageCall.OPEN);
        return super.open(file, writable).map(opened -> new FaultyFile(opened, faults));
    }

    @Override
    public boolean link(Path existing, Path name) {
        faults.before(StorageCall.LINK);
        return super.link(existing, name);
    }

    @Override
    public boolean rename(Path source, Path target) {
        faults.before(StorageCall.RENAME);
        return super.rename(source, target);
    }

    @Override
    public boolean delete(Path file) {
        faults.before(StorageCall.DELETE);
        return super.delete(file);
    }

    @Override
    public List<String> list(Path directory) {
        faults.before(StorageCall.LIST);
        return super.list(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        faults.before(StorageCall.SYNC_DIRECTORY);
        super.syncDirectory(directory);
    }

    @Override
    public void populateForWrite(MemorySegment mapped) {
        faults.before(StorageCall.POPULATE_FOR_WRITE);
        super.populateForWrite(mapped);
    }

    @Override
    public void populateForRead(MemorySegment mapped) {
        faults.before(StorageCall.POPULATE_FOR_READ);
        super.populateForRead(mapped);
    }
}
