package dev.larder.memory.linux;

import dev.larder.memory.portable.PageTouch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory nodes on which the pages of a mapping lie. The kernel reports them for pages in the page tables of the process. So
 * the queried pages are first entered there, from the page cache.
 *
 * <pre>
 * pages     x  .  x  x  x  .  .  x  x  .      x: in memory
 * queried   x        x        .  x            at a fixed stride, at most 1024
 * answer    node 0: 2 of 3, node 1: 1 of 3    multiplied by the bytes in memory
 * </pre>
 */
public final class LinuxNodes {

    private static final int ASKED_MAX = 1024;

    private LinuxNodes() {}

    /** Returns the bytes by node, in proportion to the queried pages; empty if the system does not report nodes. */
    public static Optional<SortedMap<Integer, Long>> residentBytes(MemorySegment mapped) {
        long resident = LinuxPages.residentBytes(mapped);
        long pages = LinuxPages.around(mapped).length() / LinuxPages.PAGE_BYTES;
        long stride = Math.max(1, (pages + ASKED_MAX - 1) / ASKED_MAX);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment addresses = arena.allocate(LinuxCalls.LONG, ASKED_MAX);
            long asked = present(mapped, stride, addresses, arena);
            MemorySegment nodes = arena.allocate(LinuxCalls.INT, Math.max(1, asked));
            if (asked > 0 && NodeCalls.nodesOf(addresses.asSlice(0, asked * Long.BYTES), nodes) < 0) {
                return Optional.empty();
            }
            return Optional.of(shares(nodes.asSlice(0, asked * Integer.BYTES).toArray(LinuxCalls.INT), resident));
        }
    }

    /** Collects the addresses of pages that are in memory, a stride apart, and ensures that they are in the page tables. */
    private static long present(MemorySegment mapped, long stride, MemorySegment addresses, Arena arena) {
        MemorySegment present = arena.allocate(1);
        long asked = 0;
        for (long at = 0; at < mapped.byteSize(); at += stride * LinuxPages.PAGE_BYTES) {
            MemorySegment page = mapped.asSlice(at, Math.min(LinuxPages.PAGE_BYTES, mapped.byteSize() - at));
            if (LinuxPages.around(page).isResident(page, present)) {
                PageTouch.forRead(mapped.asSlice(at, Math.min(ValueLayout.JAVA_INT.byteSize(), page.byteSize())));
                addresses.setAtIndex(LinuxCalls.LONG, asked++, page.address());
            }
        }
        return asked;
    }

    private static SortedMap<Integer, Long> shares(int[] nodes, long residentBytes) {
        SortedMap<Integer, Long> shares = new TreeMap<>();
        long told = Arrays.stream(nodes).filter(node -> node >= 0).count();
        Arrays.stream(nodes).filter(node -> node >= 0).forEach(node -> shares.merge(node, 1L, Long::sum));
        shares.replaceAll((node, count) -> count * residentBytes / told);
        return shares;
    }
}
