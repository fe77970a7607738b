package dev.larder.lab.buffers;

import java.lang.management.ManagementFactory;

/** What lives on the heap, after a collection. */
final class HeapUse {

    private HeapUse() {}

    static long liveBytes() {
        ManagementFactory.getMemoryMXBean().gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
