package dev.larder.memory.linux;

import dev.larder.memory.Allocation;
import dev.larder.memory.KeptArena;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.portable.ByteLocks;
import dev.larder.memory.portable.FileFailure;
import dev.larder.memory.portable.PortableFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.locks.StampedLock;
import java.util.function.IntToLongFunction;

/**
 * A file of {@link LinuxStorage}: one descriptor.
 *
 * <p>The kernel gives a closed descriptor's number to the next file that the process opens. So closing waits until every call
 * with the descriptor has returned, and none begins after it.
 */
public final class LinuxFile implements StorageFile {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long NOT_KEPT = -1;
    private static final int AT_EMPTY_PATH = 0x1000;

    private final Path path;
    private final int descriptor;
    private final boolean writable;
    private final ByteLocks locks = new ByteLocks(this::obtain, this::free);
    private final StampedLock uses = new StampedLock();
    private boolean closed; // guarded by uses

    public LinuxFile(Path path, int descriptor, boolean writable) {
        this.path = path;
        this.descriptor = descriptor;
        this.writable = writable;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long sizeBytes() {
        try (Arena arena = Arena.ofConfined()) {
            return LinuxLayouts.sizeBytes(statx(arena));
        }
    }

    @Override
    public void allocate(long bytes, Allocation allocation) {
        requireWritable("allocate space");
        long size = sizeBytes();
        PortableFile.requireGrowth(path, size, bytes);
        if (size == 0 && allocation != Allocation.GROW_COPIED) {
            use("allocate space", fd -> Math.max(0, LinuxCalls.stopCopyOnWrite(fd))); // refused without copy-on-write
        }
        switch (allocation) {
            case RESERVE -> reserve(size, bytes);
            case ZEROS -> writeZeros(size, bytes);
            case GROW, GROW_COPIED -> use("grow to " + bytes + " bytes", fd -> LinuxCalls.ftruncate(fd, bytes));
        }
    }

    @Override
    public boolean discard(long offset, long bytes) {
        requireWritable("free space");
        return isDone("free " + bytes + " bytes at " + offset, fd -> LinuxCalls.punchHole(fd, offset, bytes));
    }

    @Override
    public boolean clear(long offset, long bytes) {
        requireWritable("clear it");
        PortableFile.requireWithin(path, sizeBytes(), offset, bytes);
        return isDone("clear " + bytes + " bytes at " + offset, fd -> LinuxCalls.zeroRange(fd, offset, bytes));
    }

    /** Returns whether a call was carried out; false if the system does not have it. */
    private boolean isDone(String what, IntToLongFunction call) {
        return use(what, fd -> {
                    long refused = call.applyAsLong(fd);
                    return LinuxError.EOPNOTSUPP.is(refused) || LinuxError.ENOSYS.is(refused) ? 1 : refused;
                })
                == 0;
    }

    @Override
    public MemorySegment map(long offset, long length, boolean writable, Arena arena) {
        if (writable) {
            requireWritable("map it for writing");
        }
        PortableFile.requireShared(LinuxCalls.probe(arena));
        PortableFile.requireWithin(path, sizeBytes(), offset, length);
        int protection = writable ? LinuxCalls.PROT_READ | LinuxCalls.PROT_WRITE : LinuxCalls.PROT_READ;
        long before = offset & (LinuxPages.PAGE_BYTES - 1); // pages may be larger than 4096
        long all = before + length;
        long kept = arena instanceof KeptArena ? KeptAddresses.take(all) : NOT_KEPT;
        String what = "map " + length + " bytes at " + offset;
        long address = use(what, fd -> {
            long mapped = kept < 0
                    ? AlignedMapping.shared(fd, offset - before, all, protection)
                    : KeptAddresses.map(kept, fd, offset - before, all, protection);
            if (LinuxError.ENOMEM.is(mapped)) {
                throw new SystemLimitException(path + ": cannot " + what + ": " + LinuxError.words(mapped));
            }
            return mapped;
        });
        MemorySegment mapped = segment(address, all, arena, kept >= 0).asSlice(before);
        return writable ? mapped : mapped.asReadOnly();
    }

    private static MemorySegment segment(long address, long length, Arena arena, boolean keeps) {
        if (keeps && arena instanceof KeptArena kept) {
            kept.keep();
            return LinuxCalls.segment(address, length, arena, () -> KeptAddresses.unmap(address, length));
        }
        return LinuxCalls.segment(address, length, arena);
    }

    @Override
    public void write(MemorySegment source, long offset) {
        requireWritable("write");
        if (source.isNative()) {
            writeFully(written(source, offset), source, offset);
        } else {
            writeCopies(source, offset);
        }
    }

    @Override
    public boolean writesAreCoherent() {
        return true;
    }

    /**
     * Flushes the pages of the range alone: pages that were prepared ahead are dirty too, and need not reach the disk now. The
     * mapping was made with this file's descriptor, so it reports any process's write-back error since the opening.
     */
    @Override
    public void force(MemorySegment mapped) {
        String what = "flush " + mapped.byteSize() + " mapped bytes";
        use(what, fd -> LinuxPages.around(mapped).sync(mapped));
        lookAgain(what);
    }

    @Override
    public void forceAll() {
        use("flush", LinuxCalls::fsync);
        lookAgain("flush");
    }

    /**
     * Opens the file once more, and closes it, to detect a lost flush. On ext4 (seen on Linux 6.18) a flush succeeds that was
     * under way when the journal was aborted, although the last blocks are lost. A file system that was shut down, or became
     * read-only, opens no file for writing. It is marked so before its journal is aborted. Costs no flush.
     */
    private void lookAgain(String what) {
        int guards = LinuxCalls.O_CLOEXEC | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_NONBLOCK;
        int descriptor = LinuxCalls.open(path, LinuxCalls.O_RDWR | guards, 0);
        if (!LinuxError.ENOENT.is(descriptor)) {
            boolean unknown = LinuxError.EMFILE.is(descriptor) || LinuxError.ENFILE.is(descriptor);
            LinuxError.check(path, unknown ? what : what + ": the file system is gone", descriptor);
            LinuxCalls.close(descriptor);
        }
    }

    @Override
    public void startWriteback(long offset, long length) {
        use("start to write back " + length + " bytes at " + offset, fd -> {
            long result = LinuxCalls.startWriteback(fd, offset, length);
            return LinuxError.ENOSYS.is(result) ? 0 : result;
        });
    }

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
    public boolean isLocked(long offset) {
        return locks.isHeldAlone(
                offset, at -> use("find which process locks byte " + at, fd -> LinuxCalls.isByteLocked(fd, at)) != 0);
    }

    @Override
    public void unlock(long offset) {
        locks.unlock(offset);
    }

    @Override
    public void close() {
        long stamp = uses.writeLock();
        try {
            if (!closed) {
                closed = true;
                LinuxCalls.close(descriptor);
            }
        } finally {
            uses.unlockWrite(stamp);
        }
        locks.forget();
    }

    /** Restores the permissions that the umask removed. Mounts with fixed permissions refuse; the file then keeps fewer. */
    public void completePermissions(int mode) {
        try (Arena arena = Arena.ofConfined()) {
            if ((LinuxLayouts.permissions(statx(arena)) & mode) != mode) {
                LinuxCalls.fchmod(descriptor, mode);
            }
        }
    }

    public void requireRegularFile() {
        try (Arena arena = Arena.ofConfined()) {
            if (!LinuxLayouts.isRegularFile(statx(arena))) {
                close();
                throw new StorageException(path + ": cannot open the file: it is not a regular file");
            }
        }
    }

    private void reserve(long size, long bytes) {
        if (bytes == 0) {
            return; // the kernel refuses an empty range
        }
        long result = use("reserve " + bytes + " bytes", fd -> {
            long refused = LinuxCalls.fallocate(fd, 0, bytes);
            return LinuxError.EOPNOTSUPP.is(refused) || LinuxError.ENOSYS.is(refused) ? 1 : refused;
        });
        if (result == 1) {
            writeZeros(size, bytes);
        }
    }

    private void writeZeros(long from, long to) {
        String what = "allocate " + to + " bytes";
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(Math.min(BLOCK_BYTES, to - from));
            for (long at = from; at < to; at += zeros.byteSize()) {
                writeFully(what, zeros.asSlice(0, Math.min(zeros.byteSize(), to - at)), at);
            }
        }
    }

    private void writeFully(String what, MemorySegment source, long offset) {
        long done = 0;
        while (done < source.byteSize()) {
            MemorySegment rest = source.asSlice(done);
            long at = offset + done;
            done += use(what, fd -> LinuxCalls.pwrite(fd, rest, at));
        }
    }

    /** Writes bytes of the heap, which the collector may move, through a block outside the heap. */
    private void writeCopies(MemorySegment source, long offset) {
        String what = written(source, offset);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(Math.min(BLOCK_BYTES, source.byteSize()));
            for (long done = 0; done < source.byteSize(); done += block.byteSize()) {
                MemorySegment part = block.asSlice(0, Math.min(block.byteSize(), source.byteSize() - done));
                writeFully(what, part.copyFrom(source.asSlice(done, part.byteSize())), offset + done);
            }
        }
    }

    private static String written(MemorySegment source, long offset) {
        return "write " + source.byteSize() + " bytes at " + offset;
    }

    private boolean obtain(long offset, boolean shared) {
        short type = shared ? LinuxCalls.F_RDLCK : LinuxCalls.F_WRLCK;
        return use("lock byte " + offset, fd -> lockOrBusy(fd, offset, type)) == 0;
    }

    private static long lockOrBusy(int fd, long offset, short type) {
        long result = LinuxCalls.lockByte(fd, offset, type);
        return LinuxError.EAGAIN.is(result) || LinuxError.EACCES.is(result) ? 1 : result;
    }

    private void free(long offset) {
        use("unlock byte " + offset, fd -> LinuxCalls.lockByte(fd, offset, LinuxCalls.F_UNLCK));
    }

    private MemorySegment statx(Arena arena) {
        MemorySegment statx = arena.allocate(LinuxLayouts.STATX_BYTES, Long.BYTES);
        use("read its size", fd -> LinuxCalls.statx(fd, Path.of(""), AT_EMPTY_PATH, LinuxLayouts.STATX_BASIC, statx));
        return statx;
    }

    private void requireWritable(String what) {
        if (!writable) {
            throw new StorageException(path + ": cannot " + what + ": the file was opened for reading only");
        }
    }

    private long use(String what, IntToLongFunction call) {
        long stamp = uses.readLock();
        try {
            if (closed) {
                throw FileFailure.closed(path, what);
            }
            return LinuxError.check(path, what, call.applyAsLong(descriptor));
        } finally {
            uses.unlockRead(stamp);
        }
    }
}
