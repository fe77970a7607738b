package dev.larder.memory.linux;

import dev.larder.memory.Access;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.FileSystemKind;
import dev.larder.memory.SharedWait;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.portable.FileFailure;
import dev.larder.memory.portable.PageTouch;
import dev.larder.memory.portable.PortableStorage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The storage of Linux by native calls: reserved space, locks that no other descriptor drops, waits on a futex, pages loaded
 * without a fault in Java. {@link PortableStorage} does the work that needs no native call.
 */
public enum LinuxStorage implements Storage {
    INSTANCE;

    private static final PortableStorage PORTABLE = PortableStorage.INSTANCE;
    private static final int RESIDENCE_PAGES = 4096;

    /** One byte per page for each thread, so that residence checks of readers take nothing from the heap. */
    private static final ThreadLocal<MemorySegment> PRESENT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(RESIDENCE_PAGES));

    @Override
    public boolean isNative() {
        return true;
    }

    @Override
    public void createDirectories(Path directory, Access access) {
        PORTABLE.createDirectories(directory, access);
    }

    @Override
    public Optional<StorageFile> create(Path file, Access access) {
        int flags = LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL;
        int mode = access == Access.OWNER ? 0600 : 0660;
        int descriptor = LinuxCalls.open(file, flags | LinuxCalls.O_CLOEXEC | LinuxCalls.O_NOFOLLOW, mode);
        if (LinuxError.EEXIST.is(descriptor)) {
            return Optional.empty();
        }
        LinuxError.check(file, "create the file", descriptor);
        LinuxFile created = new LinuxFile(file, descriptor, true);
        created.completePermissions(mode);
        return Optional.of(created);
    }

    @Override
    public Optional<StorageFile> open(Path file, boolean writable) {
        return open(file, writable ? LinuxCalls.O_RDWR : LinuxCalls.O_RDONLY);
    }

    /** Opens a file as {@link #open(Path, boolean)} does, with the flags for it. */
    public Optional<StorageFile> open(Path file, int flags) {
        int guards =
                LinuxCalls.O_CLOEXEC | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_NONBLOCK; // opening a pipe does not block
        int descriptor = LinuxCalls.open(file, flags | guards, 0);
        if (LinuxError.ENOENT.is(descriptor)) {
            return Optional.empty();
        }
        LinuxError.check(file, "open the file", descriptor);
        LinuxFile opened = new LinuxFile(file, descriptor, flags != LinuxCalls.O_RDONLY);
        opened.requireRegularFile();
        return Optional.of(opened);
    }

    @Override
    public boolean link(Path existing, Path name) {
        long result = LinuxCalls.link(existing, name);
        if (LinuxError.EPERM.is(result) || LinuxError.EOPNOTSUPP.is(result) || LinuxError.ENOSYS.is(result)) {
            throw FileFailure.noHardLinks(existing, name, LinuxError.words(result));
        }
        return !LinuxError.EEXIST.is(result) && LinuxError.check(name, "link to " + existing, result) == 0;
    }

    @Override
    public boolean rename(Path source, Path target) {
        long result = LinuxCalls.rename(source, target);
        if (LinuxError.ENOENT.is(result) && !Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        return LinuxError.check(source, "rename to " + target, result) == 0;
    }

    @Override
    public boolean delete(Path file) {
        long result = LinuxCalls.unlink(file);
        return !LinuxError.ENOENT.is(result) && LinuxError.check(file, "delete", result) == 0;
    }

    @Override
    public List<String> list(Path directory) {
        return PORTABLE.list(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        int flags = LinuxCalls.O_RDONLY | LinuxCalls.O_DIRECTORY | LinuxCalls.O_CLOEXEC;
        int descriptor = LinuxCalls.open(directory, flags, 0);
        LinuxError.check(directory, "open the directory", descriptor);
        try {
            LinuxError.check(directory, "flush the directory", LinuxCalls.fsync(descriptor));
        } finally {
            LinuxCalls.close(descriptor);
        }
    }

    @Override
    public FileSystemKind fileSystem(Path directory) {
        return PORTABLE.fileSystem(directory);
    }

    @Override
    public String bootIdentity() {
        return PORTABLE.bootIdentity();
    }

    @Override
    public String mountIdentity(Path directory) {
        return PORTABLE.mountIdentity(directory);
    }

    @Override
    public void populateForWrite(MemorySegment mapped) {
        if (mapped.isReadOnly()) {
            throw new IllegalArgumentException(PageTouch.describe(mapped) + " are mapped for reading only");
        }
        long result = LinuxPages.around(mapped).advise(mapped, LinuxCalls.MADV_POPULATE_WRITE);
        if (LinuxError.EINVAL.is(result)) {
            PageTouch.forWrite(mapped); // a kernel before 5.14
        } else if (LinuxError.EFAULT.is(result)) {
            throw new DiskFullException(
                    "cannot back " + PageTouch.describe(mapped) + ": the file system is full, or the device failed");
        } else if (result < 0) {
            throw LinuxError.exception("cannot back " + PageTouch.describe(mapped), result);
        }
    }

    /**
     * First populates one small page of each large page. The kernel builds a large page only where there is a small one (seen
     * on Linux 6.18). A full file system has no room for that small page. Ranges without a large page get small pages.
     */
    @Override
    public void populateLargePages(MemorySegment mapped) {
        for (long at = 0; at < mapped.byteSize(); at += AlignedMapping.LARGE_PAGE_BYTES) {
            populateForWrite(mapped.asSlice(at, 1));
        }
        LinuxPages.around(mapped).advise(mapped, LinuxCalls.MADV_COLLAPSE);
        populateForWrite(mapped);
    }

    /** Requests the whole range first, if it has several pages. Without read-ahead, each page would be read by itself. */
    @Override
    public void populateForRead(MemorySegment mapped) {
        LinuxPages pages = LinuxPages.around(mapped);
        if (!pages.isOne()) {
            pages.advise(mapped, LinuxCalls.MADV_WILLNEED);
        }
        long result = pages.advise(mapped, LinuxCalls.MADV_POPULATE_READ);
        if (LinuxError.EINVAL.is(result)) {
            PageTouch.forRead(mapped);
        } else if (result < 0) {
            throw LinuxError.exception("cannot read " + PageTouch.describe(mapped), result);
        }
    }

    @Override
    public void startReading(MemorySegment mapped) {
        LinuxPages.around(mapped).advise(mapped, LinuxCalls.MADV_WILLNEED);
    }

    @Override
    public void expect(MemorySegment mapped, AccessOrder order) {
        int advice = switch (order) {
            case NORMAL -> LinuxCalls.MADV_NORMAL;
            case SEQUENTIAL -> LinuxCalls.MADV_SEQUENTIAL;
            case RANDOM -> LinuxCalls.MADV_RANDOM;
        };
        LinuxPages.around(mapped).advise(mapped, advice);
    }

    @Override
    public Optional<String> preferHugePages(MemorySegment mapped) {
        long result = LinuxPages.around(mapped).advise(mapped, LinuxCalls.MADV_HUGEPAGE);
        return result < 0
                ? Optional.of("this kernel has no huge pages: " + LinuxError.words(result))
                : Optional.empty();
    }

    /** Drops the entries only. The mapping is shared with its file, so stored bytes are in the page cache and stay. */
    @Override
    public void releasePageTables(MemorySegment mapped) {
        LinuxPages.around(mapped).advise(mapped, LinuxCalls.MADV_DONTNEED);
    }

    @Override
    public Optional<String> lockPages(MemorySegment mapped) {
        long result = LinuxPages.around(mapped).lock(mapped);
        if (result >= 0) {
            return Optional.empty();
        }
        long limit = LinuxCalls.lockableBytes();
        boolean limited = limit >= 0 && (LinuxError.ENOMEM.is(result) || LinuxError.EPERM.is(result));
        return Optional.of(
                limited
                        ? "the process may lock " + limit + " bytes in all (RLIMIT_MEMLOCK, ulimit -l)"
                        : LinuxError.words(result));
    }

    @Override
    public void unlockPages(MemorySegment mapped) {
        LinuxPages.around(mapped).unlock(mapped);
    }

    @Override
    public boolean isResident(MemorySegment mapped, long offset, long bytes) {
        LinuxPages pages = LinuxPages.around(mapped, offset, bytes);
        MemorySegment present = PRESENT.get();
        long step = RESIDENCE_PAGES * LinuxPages.PAGE_BYTES;
        for (long done = 0; done < pages.length(); done += step) {
            LinuxPages part = new LinuxPages(pages.address() + done, Math.min(step, pages.length() - done));
            if (!part.isResident(mapped, present)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public SharedWait sharedWait() {
        return FutexWait.INSTANCE;
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
