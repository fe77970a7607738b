package dev.larder.lucene;

import dev.larder.memory.LarderException;
import dev.larder.memory.PageCache;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.Unwrappable;
import org.jspecify.annotations.Nullable;

/**
 * The folder behind a directory. Lucene's own {@link FSDirectory} handles names, their flushes and locks, so its guarantees
 * hold here. The bytes bypass it, in large pieces from and to memory outside the heap.
 */
final class Folder {

    /** The alignment for reading past the page cache: addresses, offsets and lengths are multiples of it, in bytes. */
    private static final long DIRECT_UNIT_BYTES = 4096;

    private static final String LOCK_SUFFIX = ".lock";

    /** The properties by which a file is recognized as the file that was found before. */
    record Identity(
            long lengthBytes, long modifiedMillis, @Nullable Object key) {

        /** The identity of a file that is gone. No file that is there has it. */
        static final Identity GONE = new Identity(-1, 0, null);

        private static Identity of(long lengthBytes, BasicFileAttributes attributes) {
            return new Identity(lengthBytes, attributes.lastModifiedTime().toMillis(), attributes.fileKey());
        }
    }

    private final FSDirectory names;
    private final boolean canReadDirectly;

    private Folder(FSDirectory names) {
        this.names = names;
        this.canReadDirectly = canReadDirectly(Unwrappable.unwrapAll(names.getDirectory()));
    }

    /** Returns whether the file system can read past the page cache in our units; false if its mount is not listed. */
    static boolean canReadDirectly(Path folder) {
        try {
            return DirectOption.FOUND.isPresent() && Files.getFileStore(folder).getBlockSize() <= DIRECT_UNIT_BYTES;
        } catch (IOException | UnsupportedOperationException e) {
            return false; // as in a chroot
        }
    }

    /** Opens a folder. A missing folder is created, unless it is opened read-only. */
    static Folder open(Path path, boolean readOnly) throws IOException {
        if (readOnly && !Files.isDirectory(path)) {
            throw new NoSuchFileException(
                    path.toString(), null, "the folder does not exist, and a read-only directory cannot create it");
        }
        return new Folder(new NIOFSDirectory(path));
    }

    Path path() {
        return names.getDirectory();
    }

    Path path(String name) {
        return path().resolve(name);
    }

    String[] list() throws IOException {
        return names.listAll();
    }

    /** Returns whether a name can be an index file that is worth loading. */
    boolean isLoadable(String name) {
        return !name.endsWith(LOCK_SUFFIX) && Files.isRegularFile(path(name));
    }

    long lengthBytes(String name) throws IOException {
        return names.fileLength(name);
    }

    Identity identity(String name) throws IOException {
        long length = names.fileLength(name); // FSDirectory knows which files are about to be deleted
        return Identity.of(length, Files.readAttributes(path(name), BasicFileAttributes.class));
    }

    /** Returns the identity of a file that was just written. If it cannot be read, the next opening finds the file anew. */
    Identity identityOfWritten(String name, long lengthBytes) {
        try {
            return Identity.of(lengthBytes, Files.readAttributes(path(name), BasicFileAttributes.class));
        } catch (IOException e) {
            return Identity.GONE;
        }
    }

    /** Creates an empty file; throws if the name exists. */
    void create(String name, IOContext context) throws IOException {
        names.createOutput(name, context).close();
    }

    /** Creates an empty file with a new name, and returns it. */
    String createTemporary(String prefix, String suffix, IOContext context) throws IOException {
        try (IndexOutput output = names.createTempOutput(prefix, suffix, context)) {
            return output.getName();
        }
    }

    /** Opens a file for writing from its start. Its old bytes stay until they are overwritten. */
    FileChannel openForWriting(String name) throws IOException {
        return FileChannel.open(path(name), StandardOpenOption.WRITE);
    }

    void syncNames() throws IOException {
        names.syncMetaData();
    }

    void rename(String source, String target) throws IOException {
        names.rename(source, target);
    }

    void delete(String name) throws IOException {
        names.deleteFile(name);
    }

    Set<String> pendingDeletions() throws IOException {
        return names.getPendingDeletions();
    }

    Lock lock(String name) throws IOException {
        return names.obtainLock(name);
    }

    void close() throws IOException {
        names.close();
    }

    /**
     * Fills memory with a part of a file, past the page cache if the file system allows that, and leaves nothing in the cache.
     *
     * @param memory the memory of the whole file, which begins at a page
     * @param offset where the part begins, a multiple of {@link #DIRECT_UNIT_BYTES}
     * @param end where it ends
     */
    void read(String name, MemorySegment memory, long offset, long end) throws IOException {
        Path file = Unwrappable.unwrapAll(path(name));
        if (!readDirectly(file, memory, offset, end)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                fill(channel, file, memory.asSlice(offset, end - offset), offset);
            }
            PageCache.drop(file);
        }
    }

    /** Reads whole units. The last unit may reach beyond the end of the file, so the memory must have room for it. */
    private boolean readDirectly(Path file, MemorySegment memory, long offset, long end) {
        long wholeEnd = (end + DIRECT_UNIT_BYTES - 1) & -DIRECT_UNIT_BYTES;
        boolean isAligned = (memory.address() | offset) % DIRECT_UNIT_BYTES == 0 && wholeEnd <= memory.byteSize();
        if (!isAligned || !canReadDirectly) {
            return false;
        }
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.READ, DirectOption.FOUND.orElseThrow()))) {
            ByteBuffer target = memory.asSlice(offset, wholeEnd - offset).asByteBuffer();
            return channel.read(target, offset) >= end - offset;
        } catch (IOException | UnsupportedOperationException e) {
            return false; // direct reads are not supported, or the file is shorter: the ordinary read finds out which
        }
    }

    private static void fill(FileChannel channel, Path file, MemorySegment part, long offset) throws IOException {
        ByteBuffer target = part.asByteBuffer();
        while (target.hasRemaining()) {
            if (channel.read(target, offset + target.position()) < 0) {
                throw new EOFException(file + ": the file ends at " + (offset + target.position()) + ", expected "
                        + (offset + target.limit()) + " bytes or more");
            }
        }
    }

    /** Maps the first bytes of a file. */
    Mapping map(String name, long lengthBytes, Runnable unmapped) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            return new Mapping(
                    arena,
                    map(Unwrappable.unwrapAll(path(name)).toRealPath(), lengthBytes, arena),
                    MappedPages.of(SystemStorage.system(), name),
                    unmapped);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static MemorySegment map(Path file, long lengthBytes, Arena arena) throws IOException {
        if (lengthBytes == 0) {
            return arena.allocate(1).asSlice(1);
        }
        try (StorageFile opened = SystemStorage.system().open(file, false).orElseThrow(() -> missing(file))) {
            return opened.map(0, lengthBytes, false, arena);
        } catch (LarderException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private static NoSuchFileException missing(Path file) {
        return new NoSuchFileException(file.toString());
    }

    /** Drops a file from the page cache. */
    void dropCache(String name) {
        PageCache.drop(Unwrappable.unwrapAll(path(name)));
    }
}
