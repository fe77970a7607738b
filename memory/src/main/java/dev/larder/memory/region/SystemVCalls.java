package dev.larder.memory.region;

import dev.larder.memory.linux.LinuxCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The native calls for System V shared memory. Each returns the kernel's result, or a negated error number.
 *
 * <pre>
 * shmid_ds   0 owner and permissions 48 | 48 size 8 ...    112 bytes, on x86_64 and aarch64
 * </pre>
 */
final class SystemVCalls {

    static final int IPC_CREAT = 0x200;
    static final int IPC_EXCL = 0x400;
    private static final int IPC_RMID = 0;
    private static final int IPC_STAT = 2;
    private static final long STATE_BYTES = 112;
    private static final long STATE_SIZE = 48;

    private static final MethodHandle SHMGET =
            LinuxCalls.function("shmget", LinuxCalls.INT, LinuxCalls.INT, LinuxCalls.LONG, LinuxCalls.INT);
    private static final MethodHandle SHMAT =
            LinuxCalls.function("shmat", LinuxCalls.LONG, LinuxCalls.INT, LinuxCalls.LONG, LinuxCalls.INT);
    private static final MethodHandle SHMDT = LinuxCalls.function("shmdt", LinuxCalls.INT, LinuxCalls.LONG);
    private static final MethodHandle SHMCTL =
            LinuxCalls.function("shmctl", LinuxCalls.INT, LinuxCalls.INT, LinuxCalls.INT, LinuxCalls.POINTER);

    private SystemVCalls() {}

    /** Returns the number of the segment with a key. */
    static int get(int key, long bytes, int flags) {
        return (int) LinuxCalls.call((errno, arena) -> (int) SHMGET.invokeExact(errno, key, bytes, flags));
    }

    /** Attaches a segment; returns its address. */
    static long attach(int segment) {
        return LinuxCalls.call((errno, arena) -> (long) SHMAT.invokeExact(errno, segment, 0L, 0));
    }

    static long detach(long address) {
        return LinuxCalls.call((errno, arena) -> (int) SHMDT.invokeExact(errno, address));
    }

    /** Frees the key. The segment goes when the last attached process detaches. */
    static long remove(int segment) {
        return LinuxCalls.call(
                (errno, arena) -> (int) SHMCTL.invokeExact(errno, segment, IPC_RMID, MemorySegment.NULL));
    }

    static long sizeBytes(int segment) {
        return LinuxCalls.call((errno, arena) -> {
            MemorySegment state = arena.allocate(STATE_BYTES, Long.BYTES);
            int result = (int) SHMCTL.invokeExact(errno, segment, IPC_STAT, state);
            return result < 0 ? result : state.get(ValueLayout.JAVA_LONG, STATE_SIZE);
        });
    }
}
