package dev.larder.memory.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;

/**
 * The native calls for memory nodes, which libc does not name. Each returns the kernel's result, or a negated error number.
 * Some sandboxes refuse these calls.
 *
 * <pre>
 * node mask   a bit for each node, from the lowest of word 0 on    128 bytes
 * </pre>
 */
public final class NodeCalls {

    static final int POLICY_DEFAULT = 0;
    public static final int POLICY_INTERLEAVE = 3;
    public static final int POLICY_LOCAL = 4;

    private static final int MASK_WORDS = 16;

    /** The size of the mask in bits, plus one: the kernel counts one bit less than it is given. */
    private static final long MASK_BITS = MASK_WORDS * 64L + 1;

    private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));
    private static final long GET_MEMPOLICY = ARM ? 236 : 239;
    private static final long SET_MEMPOLICY = ARM ? 237 : 238;
    private static final long MOVE_PAGES = ARM ? 239 : 279;

    private static final MethodHandle SET = LinuxCalls.systemCall(LinuxCalls.LONG, LinuxCalls.POINTER, LinuxCalls.LONG);
    private static final MethodHandle GET = LinuxCalls.systemCall(
            LinuxCalls.POINTER, LinuxCalls.POINTER, LinuxCalls.LONG, LinuxCalls.LONG, LinuxCalls.LONG);
    private static final MethodHandle MOVE = LinuxCalls.systemCall(
            LinuxCalls.LONG,
            LinuxCalls.LONG,
            LinuxCalls.POINTER,
            LinuxCalls.POINTER,
            LinuxCalls.POINTER,
            LinuxCalls.LONG);

    private NodeCalls() {}

    /** The policy by which a thread chooses nodes. */
    public record Policy(int mode, BitSet nodes) {}

    /** Sets the nodes for the memory that the calling thread populates from now on. */
    public static long set(Policy policy) {
        return LinuxCalls.call((errno, arena) -> (long)
                SET.invokeExact(errno, SET_MEMPOLICY, (long) policy.mode(), mask(arena, policy.nodes()), MASK_BITS));
    }

    /** Returns the policy of the calling thread; the default if it cannot be read. */
    public static Policy get() {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment mode = own.allocate(LinuxCalls.INT);
            MemorySegment mask = own.allocate(LinuxCalls.LONG, MASK_WORDS);
            long result = LinuxCalls.call(
                    (errno, arena) -> (long) GET.invokeExact(errno, GET_MEMPOLICY, mode, mask, MASK_BITS, 0L, 0L));
            return result < 0
                    ? new Policy(POLICY_DEFAULT, new BitSet())
                    : new Policy(mode.get(LinuxCalls.INT, 0), BitSet.valueOf(mask.toArray(LinuxCalls.LONG)));
        }
    }

    /** Fills in the number of each page's node, or a negated error number, for pages of this process. */
    static long nodesOf(MemorySegment addresses, MemorySegment nodes) {
        long count = addresses.byteSize() / LinuxCalls.LONG.byteSize();
        return LinuxCalls.call((errno, arena) ->
                (long) MOVE.invokeExact(errno, MOVE_PAGES, 0L, count, addresses, MemorySegment.NULL, nodes, 0L));
    }

    /** Returns the mask of a policy. The kernel accepts no mask for a policy without nodes. */
    private static MemorySegment mask(Arena arena, BitSet nodes) {
        if (nodes.isEmpty()) {
            return MemorySegment.NULL;
        }
        MemorySegment mask = arena.allocate(LinuxCalls.LONG, MASK_WORDS);
        long[] words = nodes.toLongArray();
        MemorySegment.copy(words, 0, mask, LinuxCalls.LONG, 0, words.length);
        return mask;
    }
}
