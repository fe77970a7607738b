package dev.larder.lucene;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One file of a directory: where its bytes are, and the write-back that has to know when that changes.
 *
 * <pre>
 * being written --close--> in memory --makes room--> on the disk --loaded--> in memory
 *       '------no room: left on the disk------------------^
 * </pre>
 */
final class IndexFile {

    /** A use of a file's memory by a caller that holds the memory meanwhile. */
    @FunctionalInterface
    interface MemoryUse {
        void with(MemorySegment memory) throws IOException;
    }

    /** The bytes that an input reads, and the opening that holds them. */
    record Source(MemorySegment bytes, Opening opening, Pages pages) {}

    private volatile String name;
    private volatile long lengthBytes;
    private volatile long lastOpenedNanos = System.nanoTime();
    private volatile Folder.@Nullable Identity identity; // once the folder has all of the file
    private volatile @Nullable WriteBack writeBack; // of a file that we have written

    private @Nullable Block block; // this and all below guarded by this
    private @Nullable Mapping mapping;
    private boolean isWriting;
    private boolean isLoading;
    private boolean isDeleted;

    private IndexFile(String name, boolean isWriting) {
        this.name = name;
        this.isWriting = isWriting;
    }

    /** A file that is being written. */
    static IndexFile written(String name) {
        return new IndexFile(name, true);
    }

    /** A file that the folder has. */
    static IndexFile found(String name, Folder.Identity identity) {
        IndexFile file = new IndexFile(name, false);
        file.identity = identity;
        file.lengthBytes = identity.lengthBytes();
        return file;
    }

    String name() {
        return name;
    }

    void rename(String other) {
        name = other;
    }

    /** Returns how many bytes can be read. For a file that is being written, this may be less than its writer has written. */
    long lengthBytes() {
        return lengthBytes;
    }

    long lastOpenedNanos() {
        return lastOpenedNanos;
    }

    Optional<WriteBack> writeBack() {
        return Optional.ofNullable(writeBack);
    }

    void writeBackBy(WriteBack other) {
        writeBack = other;
    }

    /**
     * Returns by what the folder's file is recognized; null while the folder lacks bytes of this file. With an identity, another
     * process may have replaced or deleted the file.
     */
    Folder.@Nullable Identity identity() {
        return identity;
    }

    /** Notes what the folder has: a file with all bytes of this one, or null if its bytes are written again. */
    void identify(Folder.@Nullable Identity written) {
        identity = written;
    }

    /** Returns whether this is the file that lies in the folder now. True as long as the folder lacks bytes of this file. */
    boolean isStill(Folder.Identity now) {
        Folder.Identity known = identity;
        return known == null || known.equals(now);
    }

    /** Returns whether the folder still has this file under its name, and not another file. */
    boolean isStillIn(Folder folder) throws IOException {
        return identity == null ? !isDeleted() : isStill(folder.identity(name));
    }

    /** Returns whether the folder has had all of this file. */
    boolean isInFolder() {
        return identity != null;
    }

    /** Sets how much can be read. Only the file's writer calls this. */
    void grow(long toBytes) {
        lengthBytes = toBytes;
        WriteBack back = writeBack;
        if (back != null) {
            back.advance();
        }
    }

    /** Replaces the file's memory; null for none. Only the file's writer calls this. */
    synchronized void place(@Nullable Block other) {
        Block before = block;
        block = other;
        if (before != null) {
            before.release();
        }
        if (isDeleted) {
            dropBlock();
        }
    }

    /** Marks the file as complete. Only the file's writer calls this. */
    synchronized void finish() {
        isWriting = false;
    }

    /** Returns the memory for an input to read, held; empty if the file is not in memory. */
    synchronized Optional<Source> openInMemory() {
        lastOpenedNanos = System.nanoTime();
        if (block == null && isWriting && lengthBytes == 0) {
            return Optional.of(new Source(MemorySegment.NULL, new Opening(Held.NOTHING), Pages.IN_MEMORY));
        }
        return block != null && block.tryHold()
                ? Optional.of(source(block, block.memory(), Pages.IN_MEMORY))
                : Optional.empty();
    }

    private Source source(Held held, MemorySegment memory, Pages pages) {
        MemorySegment bytes = memory.asSlice(0, Math.min(lengthBytes, memory.byteSize()));
        return new Source(bytes.asReadOnly(), new Opening(held), pages);
    }

    /**
     * Returns the mapping through which an input reads from the disk; all such inputs share it. Empty if the name belongs to
     * another file meanwhile, or the directory has let go of this one: nobody would end the mapping.
     */
    synchronized Optional<Source> openOnDisk(Folder folder) throws IOException {
        if (isDeleted) {
            return Optional.empty();
        }
        if (isWriting) {
            Mapping ofNow = folder.map(name, lengthBytes, () -> {});
            return Optional.of(source(ofNow, ofNow.memory(), ofNow.pages()));
        }
        if (mapping == null) {
            mapping = map(folder);
        }
        return mapping == null || !mapping.tryHold()
                ? Optional.empty()
                : Optional.of(source(mapping, mapping.memory(), mapping.pages()));
    }

    /** Maps first, and only then checks that the mapped file was this one. */
    private @Nullable Mapping map(Folder folder) throws IOException {
        try {
            Mapping made = folder.map(name, lengthBytes, () -> unmapped(folder));
            if (isStillIn(folder)) {
                return made;
            }
            made.release();
            return null;
        } catch (IOException e) {
            if (isStillIn(folder)) {
                throw e;
            }
            return null;
        }
    }

    /** Drops the system's cache of the pages that were read through the mapping, once there is a copy in our memory. */
    private void unmapped(Folder folder) {
        if (isInMemory()) {
            folder.dropCache(name);
        }
    }

    /** Uses the memory. It stays meanwhile, even if the file is deleted or evicted. Does nothing if there is no memory. */
    void withBlock(MemoryUse use) throws IOException {
        Block held = heldBlock();
        if (held == null) {
            return;
        }
        try {
            use.with(held.memory());
        } finally {
            held.release();
        }
    }

    private synchronized @Nullable Block heldBlock() {
        return block != null && block.tryHold() ? block : null;
    }

    /** Claims the loading of a file that is on the disk; false if the loading is under way or not needed. */
    synchronized boolean tryStartLoading() {
        boolean isWanted = block == null && !isLoading && !isWriting && !isDeleted;
        isLoading |= isWanted;
        return isWanted;
    }

    /** Ends a loading that failed. */
    synchronized void loadingFailed() {
        isLoading = false;
    }

    /** Ends a loading. Inputs that are opened from now on read this memory. */
    void loaded(Block memory) {
        Mapping old;
        synchronized (this) {
            isLoading = false;
            block = memory;
            old = mapping;
            mapping = null;
            if (isDeleted) {
                dropBlock();
            }
        }
        release(old);
    }

    /** Gives the memory up if no input reads it and the folder has all of the file. Returns whether it did. */
    synchronized boolean tryEvict() {
        if (idleBlock() == null || !writeBack().map(WriteBack::tryLeaveMemory).orElse(true)) {
            return false;
        }
        dropBlock();
        return true;
    }

    /** Returns how many bytes an eviction would free; 0 if the file cannot be evicted. */
    synchronized long idleBytes() {
        Block idle = idleBlock();
        return idle != null && writeBack().map(WriteBack::isDone).orElse(true) ? idle.chargedBytes() : 0;
    }

    private @Nullable Block idleBlock() {
        return block != null && !isWriting && block.isHeldOnce() ? block : null;
    }

    /** Ends the write-back. Bytes that are not yet in the folder will not be written. */
    void stopWriting() {
        writeBack().ifPresent(WriteBack::cancel);
    }

    /** Lets go of memory and mapping. Open inputs keep theirs. */
    void delete() {
        stopWriting();
        Mapping old;
        synchronized (this) {
            isDeleted = true;
            dropBlock();
            old = mapping;
            mapping = null;
        }
        release(old);
    }

    private void dropBlock() {
        Block old = block;
        block = null;
        release(old);
    }

    private static void release(@Nullable Held held) {
        if (held != null) {
            held.release();
        }
    }

    synchronized boolean isDeleted() {
        return isDeleted;
    }

    synchronized boolean isInMemory() {
        return block != null;
    }

    synchronized long lockedBytes() {
        return block == null ? 0 : block.lockedBytes();
    }
}
