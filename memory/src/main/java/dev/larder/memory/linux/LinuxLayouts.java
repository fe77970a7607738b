package dev.larder.memory.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * The structs that the native calls pass. They are the same on x86_64 and aarch64.
 *
 * <pre>
 * flock      0 type 2 | whence 2 | - 4 | 8 start 8 | 16 length 8 | 24 process 4 | - 4        32 bytes
 * timespec   0 seconds 8 | 8 nanoseconds 8                                                   16 bytes
 * statx      0 mask 4 ... | 28 mode 2 ... | 40 size 8 ...                                             256 bytes
 * cpu_set    a bit for each processor, from the lowest of word 0 on                        1024 bytes
 * </pre>
 */
public final class LinuxLayouts {

    static final long STATX_BYTES = 256;
    static final int STATX_BASIC = 0x7ff;

    private static final int FLOCK_BYTES = 32;
    private static final int CPU_SET_WORDS = 128;
    private static final long NANOS_IN_SECOND = 1_000_000_000;
    private static final int FILE_TYPE = 0xf000;
    private static final int REGULAR_FILE = 0x8000;

    private LinuxLayouts() {}

    /** Returns a lock of one byte, counted from the start of the file. The process must be 0. */
    static MemorySegment lock(Arena arena, short type, long offset) {
        MemorySegment lock = arena.allocate(FLOCK_BYTES, Long.BYTES);
        lock.set(ValueLayout.JAVA_SHORT, 0, type);
        lock.set(ValueLayout.JAVA_LONG, 8, offset);
        lock.set(ValueLayout.JAVA_LONG, 16, 1);
        return lock;
    }

    static short lockType(MemorySegment lock) {
        return lock.get(ValueLayout.JAVA_SHORT, 0);
    }

    static MemorySegment time(Arena arena, long nanos) {
        MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
        time.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS_IN_SECOND);
        time.set(ValueLayout.JAVA_LONG, 8, nanos % NANOS_IN_SECOND);
        return time;
    }

    /** Returns an empty set of processors. */
    public static MemorySegment processors(Arena arena) {
        return arena.allocate(ValueLayout.JAVA_LONG, CPU_SET_WORDS);
    }

    /** Returns a set of processors. Numbers for which it has no bit are left out, as Linux leaves out missing processors. */
    public static MemorySegment processors(Arena arena, BitSet numbers) {
        MemorySegment set = processors(arena);
        long[] words = numbers.toLongArray();
        MemorySegment.copy(words, 0, set, ValueLayout.JAVA_LONG, 0, Math.min(words.length, CPU_SET_WORDS));
        return set;
    }

    public static BitSet processors(MemorySegment set) {
        return BitSet.valueOf(set.toArray(ValueLayout.JAVA_LONG));
    }

    static int permissions(MemorySegment statx) {
        return Short.toUnsignedInt(statx.get(ValueLayout.JAVA_SHORT, 28)) & 0777;
    }

    static boolean isRegularFile(MemorySegment statx) {
        return (statx.get(ValueLayout.JAVA_SHORT, 28) & FILE_TYPE) == REGULAR_FILE;
    }

    static long sizeBytes(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_LONG, 40);
    }
}
