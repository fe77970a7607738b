package dev.larder.memory.linux;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The native calls: functions of libc on Linux, x86_64 and aarch64, looked up when this class is first used.
 *
 * <p>Each returns the kernel's result: 0 or more, or a negated error number. A call that a signal interrupted is made again.
 * This class is the only access to native memory: no other file uses restricted methods.
 */
@SuppressWarnings("restricted")
public final class LinuxCalls {

    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    public static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Charset NAMES = Charset.forName(
            System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));
    private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));

    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_DSYNC = 0x1000;
    public static final int O_SYNC = 0x101000;
    static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    public static final int O_CLOEXEC = 0x80000;

    static final int PROT_READ = 1;
    static final int PROT_WRITE = 2;
    private static final int MAP_SHARED = 1;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_FIXED = 0x10;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_FIXED_NOREPLACE = 0x100000;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_HUGETLB = 0x40000;
    private static final int MS_SYNC = 4;
    static final int MADV_NORMAL = 0;
    static final int MADV_RANDOM = 1;
    static final int MADV_SEQUENTIAL = 2;
    static final int MADV_WILLNEED = 3;
    public static final int MADV_DONTNEED = 4;
    public static final int MADV_HUGEPAGE = 14;
    static final int MADV_POPULATE_READ = 22;
    public static final int MADV_POPULATE_WRITE = 23;
    static final int MADV_COLLAPSE = 25;

    private static final int SYNC_FILE_RANGE_WRITE = 2;
    private static final long FS_IOC_GETFLAGS = 0x8008_6601L;
    private static final long FS_IOC_SETFLAGS = 0x4008_6602L;
    private static final int FS_NOCOW_FL = 0x0080_0000;
    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    static final short F_RDLCK = 0;
    static final short F_WRLCK = 1;
    static final short F_UNLCK = 2;

    private static final int POSIX_FADV_DONTNEED = 4;

    /** With FALLOC_FL_KEEP_SIZE. */
    private static final int PUNCH_HOLE = 2 | 1;

    /** With FALLOC_FL_KEEP_SIZE. */
    private static final int ZERO_RANGE = 16 | 1;

    private static final long SYSCALL_FUTEX = ARM ? 98 : 202;
    private static final long FUTEX_WAIT = 0;
    private static final long FUTEX_WAKE = 1;

    private static final long SYSCALL_MSYNC = ARM ? 227 : 26;
    private static final long SYSCALL_MINCORE = ARM ? 232 : 27;
    private static final long SYSCALL_MADVISE = ARM ? 233 : 28;
    private static final long SYSCALL_MUNLOCK = ARM ? 229 : 150;
    private static final long SYSCALL_MLOCK2 = ARM ? 284 : 325;
    private static final long MLOCK_ONFAULT = 1;
    private static final int RLIMIT_MEMLOCK = 8;

    private static final int SC_PAGESIZE = 30;

    private static final MethodHandle OPEN = variadic(2, "open", INT, POINTER, INT, INT);
    private static final MethodHandle CLOSE = function("close", INT, INT);
    private static final MethodHandle FCHMOD = function("fchmod", INT, INT, INT);
    private static final MethodHandle FALLOCATE = function("fallocate", INT, INT, INT, LONG, LONG);
    private static final MethodHandle FTRUNCATE = function("ftruncate", INT, INT, LONG);
    private static final MethodHandle PWRITE = function("pwrite", LONG, INT, POINTER, LONG, LONG);
    private static final MethodHandle FSYNC = function("fsync", INT, INT);
    private static final MethodHandle SYNC_FILE_RANGE = function("sync_file_range", INT, INT, LONG, LONG, INT);
    private static final MethodHandle FADVISE = function("posix_fadvise", INT, INT, LONG, LONG, INT);
    private static final MethodHandle FCNTL = variadic(2, "fcntl", INT, INT, INT, POINTER);
    private static final MethodHandle IOCTL = variadic(2, "ioctl", INT, INT, LONG, POINTER);
    private static final MethodHandle STATX = function("statx", INT, INT, POINTER, INT, INT, POINTER);
    private static final MethodHandle LINK = function("link", INT, POINTER, POINTER);
    private static final MethodHandle RENAME = function("rename", INT, POINTER, POINTER);
    private static final MethodHandle UNLINK = function("unlink", INT, POINTER);
    private static final MethodHandle MMAP = function("mmap", LONG, LONG, LONG, INT, INT, INT, LONG);
    private static final MethodHandle MUNMAP = function("munmap", INT, LONG, LONG);

    /**
     * A call about mapped pages: number, address, length, a third argument, and the mapping. The kernel ignores the mapping. It
     * keeps the mapping's arena open until the call has returned: a thread that closes it meanwhile gets an
     * {@link IllegalStateException}. A call after the closing gets one too, and is not made, because it could act on a later
     * mapping at that address.
     */
    private static final MethodHandle MAPPED = systemCall(LONG, LONG, LONG, POINTER);

    private static final MethodHandle MAPPED_PLAIN =
            plain("syscall", Linker.Option.firstVariadicArg(1), LONG, LONG, LONG, LONG, LONG, POINTER);
    private static final MethodHandle GETRLIMIT = function("getrlimit", INT, INT, POINTER);
    private static final MethodHandle GET_PROCESSORS = function("sched_getaffinity", INT, INT, LONG, POINTER);
    private static final MethodHandle SET_PROCESSORS = function("sched_setaffinity", INT, INT, LONG, POINTER);
    private static final MethodHandle SYSCONF = function("sysconf", LONG, INT);
    private static final MethodHandle FUTEX_AWAIT =
            plain("syscall", Linker.Option.firstVariadicArg(1), LONG, LONG, LONG, LONG, LONG, POINTER);
    private static final MethodHandle FUTEX_ALARM =
            plain("syscall", Linker.Option.firstVariadicArg(1), LONG, LONG, LONG, LONG, LONG);

    private LinuxCalls() {}

    public static int open(Path path, int flags, int mode) {
        return (int) call((errno, arena) -> (int) OPEN.invokeExact(errno, name(arena, path), flags, mode));
    }

    /**
     * Closes a descriptor. Never repeats this after a signal: the descriptor is gone then, and its number may be another
     * file's.
     */
    public static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), descriptor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long fchmod(int descriptor, int mode) {
        return call((errno, arena) -> (int) FCHMOD.invokeExact(errno, descriptor, mode));
    }

    static long fallocate(int descriptor, long offset, long length) {
        return call((errno, arena) -> (int) FALLOCATE.invokeExact(errno, descriptor, 0, offset, length));
    }

    /** Makes a range zero without writing zeros; the size and the space stay. */
    static long zeroRange(int descriptor, long offset, long length) {
        return call((errno, arena) -> (int) FALLOCATE.invokeExact(errno, descriptor, ZERO_RANGE, offset, length));
    }

    /** Gives the space of a range back; the size stays. */
    static long punchHole(int descriptor, long offset, long length) {
        return call((errno, arena) -> (int) FALLOCATE.invokeExact(errno, descriptor, PUNCH_HOLE, offset, length));
    }

    static long ftruncate(int descriptor, long size) {
        return call((errno, arena) -> (int) FTRUNCATE.invokeExact(errno, descriptor, size));
    }

    static long pwrite(int descriptor, MemorySegment source, long offset) {
        return call((errno, arena) -> (long) PWRITE.invokeExact(errno, descriptor, source, source.byteSize(), offset));
    }

    static long fsync(int descriptor) {
        return call((errno, arena) -> (int) FSYNC.invokeExact(errno, descriptor));
    }

    static long startWriteback(int descriptor, long offset, long length) {
        return call((errno, arena) ->
                (int) SYNC_FILE_RANGE.invokeExact(errno, descriptor, offset, length, SYNC_FILE_RANGE_WRITE));
    }

    /** Drops a whole file from the page cache, except dirty or mapped pages. This call returns its error as its result. */
    public static long dropCache(int descriptor) {
        return call((errno, arena) -> -(int) FADVISE.invokeExact(errno, descriptor, 0L, 0L, POSIX_FADV_DONTNEED));
    }

    /**
     * Locks or unlocks one byte for the open file, not for the process, so closing another descriptor does not drop the lock.
     */
    static long lockByte(int descriptor, long offset, short type) {
        return call((errno, arena) -> {
            MemorySegment lock = LinuxLayouts.lock(arena, type, offset);
            return (int) FCNTL.invokeExact(errno, descriptor, F_OFD_SETLK, lock);
        });
    }

    /** Returns 1 if another open file holds a byte alone, else 0. Takes no lock. */
    static long isByteLocked(int descriptor, long offset) {
        return call((errno, arena) -> {
            MemorySegment lock = LinuxLayouts.lock(arena, F_RDLCK, offset);
            int result = (int) FCNTL.invokeExact(errno, descriptor, F_OFD_GETLK, lock);
            return result == 0 && LinuxLayouts.lockType(lock) != F_UNLCK ? 1 : result;
        });
    }

    /**
     * Requests that an empty file is written in place, on a file system that copies on write; others refuse. A store to a page
     * that is on the disk then needs no new space.
     */
    static long stopCopyOnWrite(int descriptor) {
        return call((errno, arena) -> {
            MemorySegment flags = arena.allocate(ValueLayout.JAVA_LONG);
            int read = (int) IOCTL.invokeExact(errno, descriptor, FS_IOC_GETFLAGS, flags);
            flags.set(ValueLayout.JAVA_INT, 0, flags.get(ValueLayout.JAVA_INT, 0) | FS_NOCOW_FL);
            return read < 0 ? read : (int) IOCTL.invokeExact(errno, descriptor, FS_IOC_SETFLAGS, flags);
        });
    }

    /** Fills the 256 bytes that describe an open file, or with a path a directory. */
    static long statx(int descriptor, Path path, int flags, int mask, MemorySegment result) {
        return call(
                (errno, arena) -> (int) STATX.invokeExact(errno, descriptor, name(arena, path), flags, mask, result));
    }

    static long link(Path existing, Path name) {
        return call((errno, arena) -> (int) LINK.invokeExact(errno, name(arena, existing), name(arena, name)));
    }

    static long rename(Path source, Path target) {
        return call((errno, arena) -> (int) RENAME.invokeExact(errno, name(arena, source), name(arena, target)));
    }

    static long unlink(Path file) {
        return call((errno, arena) -> (int) UNLINK.invokeExact(errno, name(arena, file)));
    }

    /** Maps a shared range; returns its address. */
    static long mmap(int descriptor, long offset, long length, int protection) {
        return call((errno, arena) ->
                (long) MMAP.invokeExact(errno, 0L, length, protection, MAP_SHARED, descriptor, offset));
    }

    /** Maps a shared range at an address, and replaces the mapping there. Returns the address. */
    static long mmapOver(long address, int descriptor, long offset, long length, int protection) {
        int flags = MAP_SHARED | MAP_FIXED;
        return call((errno, arena) ->
                (long) MMAP.invokeExact(errno, address, length, protection, flags, descriptor, offset));
    }

    /**
     * Maps zeros at an address, and replaces the mapping there. The zeros are private, and have no reservation of memory. If
     * the system accounts for memory that could be stored to, they are read-only.
     */
    static long mmapZerosOver(long address, long length) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        long mapped = mmapZeros(address, length, PROT_READ | PROT_WRITE, flags);
        return mapped < 0 ? mmapZeros(address, length, PROT_READ, flags) : mapped;
    }

    /** Maps zeros at an address where nothing is mapped. Returns EEXIST if there is a mapping, which stays. */
    static long mmapZerosAt(long address, long length) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
        return mmapZeros(address, length, PROT_READ | PROT_WRITE, flags);
    }

    private static long mmapZeros(long address, long length, int protection, int flags) {
        return call((errno, arena) -> (long) MMAP.invokeExact(errno, address, length, protection, flags, -1, 0L));
    }

    /** Maps zero memory of this process alone, without a file. Returns its address. */
    public static long mmapAnonymous(long length, int flags) {
        int all = MAP_PRIVATE | MAP_ANONYMOUS | flags;
        return call((errno, arena) -> (long) MMAP.invokeExact(errno, 0L, length, PROT_READ | PROT_WRITE, all, -1, 0L));
    }

    /** Makes a segment of a mapped range; it is unmapped when the arena closes. */
    public static MemorySegment segment(long address, long length, Arena arena) {
        return segment(address, length, arena, () -> munmap(address, length));
    }

    /** Makes a segment of all memory, which never closes: an offset in it is an address. */
    public static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** Makes a segment that only shows what an arena allows. It must not be accessed. */
    static MemorySegment probe(Arena arena) {
        return MemorySegment.NULL.reinterpret(1, arena, null);
    }

    /** Makes a segment of given memory, which is released when the arena closes, or now if it is closed or another thread's. */
    public static MemorySegment segment(long address, long length, Arena arena, Runnable release) {
        try {
            return MemorySegment.ofAddress(address).reinterpret(length, arena, ignored -> release.run());
        } catch (IllegalStateException | WrongThreadException e) {
            release.run();
            throw e;
        }
    }

    public static long munmap(long address, long length) {
        return call((errno, arena) -> (int) MUNMAP.invokeExact(errno, address, length));
    }

    static long msync(MemorySegment mapping, long address, long length) {
        return mapped(SYSCALL_MSYNC, mapping, address, length, MS_SYNC);
    }

    public static long madvise(MemorySegment mapping, long address, long length, int advice) {
        return mapped(SYSCALL_MADVISE, mapping, address, length, advice);
    }

    /** Fills one byte per page, whose lowest bit is set if the page is in memory. */
    static long mincore(MemorySegment mapping, long address, long length, MemorySegment pages) {
        try {
            return mapped(SYSCALL_MINCORE, mapping, address, length, pages.address());
        } finally {
            Reference.reachabilityFence(pages);
        }
    }

    /** Does the same as {@link #mincore}, but returns no error and takes nothing from the heap. */
    static boolean isMincoreTold(MemorySegment mapping, long address, long length, MemorySegment pages) {
        try {
            return (long) MAPPED_PLAIN.invokeExact(SYSCALL_MINCORE, address, length, pages.address(), mapping) == 0;
        } catch (Throwable e) {
            throw unexpected(e);
        } finally {
            Reference.reachabilityFence(pages);
        }
    }

    /** Locks the pages of a range that are in memory, and the others when they are loaded. */
    static long lockPages(MemorySegment mapping, long address, long length) {
        return mapped(SYSCALL_MLOCK2, mapping, address, length, MLOCK_ONFAULT);
    }

    static long unlockPages(MemorySegment mapping, long address, long length) {
        return mapped(SYSCALL_MUNLOCK, mapping, address, length, 0);
    }

    private static long mapped(long number, MemorySegment mapping, long address, long length, long third) {
        return call((errno, arena) -> (long) MAPPED.invokeExact(errno, number, address, length, third, mapping));
    }

    /** Returns how many bytes this process may lock; -1 for no limit. */
    public static long lockableBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(LONG, 2);
            long result = call((errno, ignored) -> (int) GETRLIMIT.invokeExact(errno, RLIMIT_MEMLOCK, limit));
            return result < 0 ? result : limit.get(LONG, 0);
        }
    }

    /** Fills the set of processors that the calling thread may run on. */
    public static long processors(MemorySegment set) {
        return call((errno, arena) -> (int) GET_PROCESSORS.invokeExact(errno, 0, set.byteSize(), set));
    }

    /** Restricts the calling thread to a set of processors. */
    public static long bindToProcessors(MemorySegment set) {
        return call((errno, arena) -> (int) SET_PROCESSORS.invokeExact(errno, 0, set.byteSize(), set));
    }

    static long pageBytes() {
        return call((errno, arena) -> (long) SYSCONF.invokeExact(errno, SC_PAGESIZE));
    }

    /**
     * Sleeps while a word holds a value, at most for the given time; a signal ends the sleep too. It takes the plain address,
     * so that closing the arena does not wait for a sleeping thread. Another mapping that lies there meanwhile is read, and
     * never written.
     */
    static void futexWait(long address, int expected, long nanos) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = LinuxLayouts.time(arena, nanos);
            long ignored = (long) FUTEX_AWAIT.invokeExact(SYSCALL_FUTEX, address, FUTEX_WAIT, (long) expected, time);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void futexWakeAll(long address) {
        try {
            long ignored = (long) FUTEX_ALARM.invokeExact(SYSCALL_FUTEX, address, FUTEX_WAKE, (long) Integer.MAX_VALUE);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** One call with room for its error number, and an arena for its arguments. */
    @FunctionalInterface
    public interface Call {
        long invoke(MemorySegment errno, Arena arena) throws Throwable;
    }

    public static long call(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(STATE);
            while (true) {
                long result = call.invoke(errno, arena);
                if (result != -1) {
                    return result;
                }
                int error = (int) ERRNO.get(errno, 0L);
                if (error != LinuxError.EINTR.number) {
                    return -error;
                }
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static RuntimeException unexpected(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException exception -> exception;
            case Error error -> throw error;
            default -> throw new AssertionError(thrown);
        };
    }

    /** Returns a name for the kernel: bytes in the JDK's encoding of names, and a zero. */
    public static MemorySegment name(Arena arena, Path path) {
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException(path + ": not a path of the default file system");
        }
        String text = path.toString();
        return arena.allocateFrom(text.isEmpty() ? text : path.toAbsolutePath().toString(), NAMES);
    }

    /** Returns a name that is not a path. */
    public static MemorySegment text(Arena arena, String text) {
        return arena.allocateFrom(text, NAMES);
    }

    /** Looks up a function of libc that leaves its error in errno. Throws a linking error if there is none. */
    public static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return handle(name, result, arguments, Linker.Option.captureCallState("errno"));
    }

    /**
     * Returns the kernel's generic entry, for calls that libc does not name. The number comes first; the error is left in
     * errno.
     */
    static MethodHandle systemCall(MemoryLayout... arguments) {
        MemoryLayout[] all = new MemoryLayout[arguments.length + 1];
        all[0] = LONG;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return variadic(1, "syscall", LONG, all);
    }

    /** Looks up a function of another library, which reports errors by its result alone. */
    public static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), descriptor);
    }

    /** Loads a library for ever; empty if the system has none of that name. */
    public static Optional<SymbolLookup> library(String name) {
        try {
            return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static MethodHandle variadic(int fixed, String name, MemoryLayout result, MemoryLayout... arguments) {
        return handle(
                name,
                result,
                arguments,
                Linker.Option.firstVariadicArg(fixed),
                Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle plain(
            String name, Linker.Option option, MemoryLayout result, MemoryLayout... arguments) {
        return handle(name, result, arguments, option);
    }

    private static MethodHandle handle(
            String name, MemoryLayout result, MemoryLayout[] arguments, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().findOrThrow(name);
        return linker.downcallHandle(function, FunctionDescriptor.of(result, arguments), options);
    }
}
