package dev.larder.memory.portable;

import dev.larder.memory.Allocation;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file of {@link PortableStorage}: one channel, entered on {@link ChannelThreads} alone.
 *
 * <p>Byte locks belong to the process, and POSIX drops all locks of a file when any channel of the file is closed. So a file
 * with locks must be opened only once.
 */
public final class PortableFile implements StorageFile {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final Thread SOMEBODY_ELSE = Thread.ofPlatform().unstarted(() -> {});

    private final Path path;
    private final FileChannel channel;
    private final boolean writable;
    private final ByteLocks locks = new ByteLocks(this::obtain, this::free);
    private final Map<Long, FileLock> fileLocks = new ConcurrentHashMap<>();

    PortableFile(Path path, FileChannel channel, boolean writable) {
        this.path = path;
        this.channel = channel;
        this.writable = writable;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long sizeBytes() {
        return run("read its size", channel::size);
    }

    @Override
    public void allocate(long bytes, Allocation allocation) {
        requireWritable("allocate space");
        String what = "allocate " + bytes + " bytes";
        try {
            ChannelThreads.run(() -> {
                long size = channel.size();
                requireGrowth(path, size, bytes);
                writeZeros(allocation.isReserved() ? size : Math.max(size, bytes - 1), bytes);
                return bytes;
            });
        } catch (IOException e) {
            throw FileFailure.ofWriting(path, what, BLOCK_BYTES, e);
        }
    }

    @Override
    public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
        if (writable) {
            requireWritable("map it for writing");
        }
        FileChannel.MapMode mode = writable ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY;
        requireShared(arena.allocate(1));
        return run("map " + length + " bytes at " + offset, () -> {
            requireWithin(path, channel.size(), offset, length); // or the channel would extend the file
            return channel.map(mode, offset, length, arena);
        });
    }

    @Override
    public void write(MemorySegment source, long offset) {
        requireWritable("write");
        String what = "write " + source.byteSize() + " bytes at " + offset;
        try {
            for (long done = 0; done < source.byteSize(); done += BLOCK_BYTES) {
                long length = Math.min(BLOCK_BYTES, source.byteSize() - done);
                ByteBuffer block = block(source.asSlice(done, length));
                long at = offset + done;
                ChannelThreads.run(() -> writeFully(block, at));
            }
        } catch (IOException e) {
            throw FileFailure.ofWriting(path, what, source.byteSize(), e);
        }
    }

    /** Returns false: Java promises nothing, and on Windows views and writes of a file may differ. */
    @Override
    public boolean writesAreCoherent() {
        return false;
    }

    @Override
    public void force(MemorySegment mapped) {
        try {
            mapped.force();
        } catch (UncheckedIOException e) {
            String what = "flush " + mapped.byteSize() + " mapped bytes";
            throw FileFailure.of(path, what, Objects.requireNonNull(e.getCause()));
        }
        forceAll();
    }

    @Override
    public void forceAll() {
        run("flush", () -> {
            channel.force(true);
            return true;
        });
    }

    /** Does nothing: Java cannot start a flush without waiting for it. */
    @Override
    public void startWriteback(long offset, long length) {}

    @Override
    public boolean tryLock(long offset) {
        requireWritable("lock");
        return locks.lock(offset);
    }

    @Override
    public boolean tryLockShared(long offset) {
        return locks.share(offset);
    }

    @Override
    public void unlock(long offset) {
        locks.unlock(offset);
    }

    @Override
    public void close() {
        run("close", () -> {
            channel.close();
            return true;
        });
        locks.forget();
    }

    /** Throws if a file is too short for a requested range. */
    public static void requireWithin(Path path, long size, long offset, long length) {
        if (offset < 0 || length <= 0) {
            throw new IllegalArgumentException(path + ": cannot map " + length + " bytes at " + offset);
        }
        if (offset > size - length) {
            throw new TruncatedException(
                    path + ": cannot map " + length + " bytes at " + offset + ": the file is " + size + " bytes long");
        }
    }

    /** Throws if the arena of a segment is confined to one thread. */
    public static void requireShared(MemorySegment segment) {
        if (!segment.isAccessibleBy(SOMEBODY_ELSE)) {
            throw new IllegalArgumentException(
                    "the arena is confined to one thread: pass a shared arena to map a file");
        }
    }

    /** Throws if an allocation would shorten a file. */
    public static void requireGrowth(Path path, long size, long bytes) {
        if (bytes < size) {
            throw new StorageException(
                    path + ": cannot allocate " + bytes + " bytes: the file is " + size + " bytes long already");
        }
    }

    private void requireWritable(String what) {
        if (!writable) {
            throw new StorageException(path + ": cannot " + what + ": the file was opened for reading only");
        }
    }

    private boolean obtain(long offset, boolean shared) {
        return run("lock byte " + offset, () -> {
            try {
                release(offset); // an unlock that failed has left it
                FileLock lock = channel.tryLock(offset, 1, shared);
                return lock != null && note(offset, lock);
            } catch (OverlappingFileLockException e) {
                return false; // another file object of this process holds it
            }
        });
    }

    /** Keeps a lock, or gives it back at once where there is no memory to keep it. */
    private boolean note(long offset, FileLock lock) throws IOException {
        boolean noted = false;
        try {
            fileLocks.put(offset, lock);
            noted = true;
            return noted;
        } finally {
            if (!noted) {
                lock.release();
            }
        }
    }

    private void free(long offset) {
        run("unlock byte " + offset, () -> {
            release(offset);
            return true;
        });
    }

    private void release(long offset) throws IOException {
        FileLock lock = fileLocks.get(offset);
        if (lock != null) {
            lock.release();
            fileLocks.remove(offset);
        }
    }

    private void writeZeros(long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(BLOCK_BYTES, to - from));
        for (long at = from; at < to; at += zeros.limit()) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
            writeFully(zeros, at);
        }
    }

    private long writeFully(ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
        return at;
    }

    /** Returns the bytes as a buffer that another thread may read: in place if possible, else a copy. */
    private static ByteBuffer block(MemorySegment bytes) {
        boolean inPlace = bytes.isNative() && bytes.isAccessibleBy(SOMEBODY_ELSE);
        return inPlace ? bytes.asByteBuffer() : ByteBuffer.wrap(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    private <T> T run(String what, ChannelThreads.Operation<T> operation) {
        try {
            return ChannelThreads.run(operation);
        } catch (IOException e) {
            throw FileFailure.of(path, what, e);
        }
    }
}
