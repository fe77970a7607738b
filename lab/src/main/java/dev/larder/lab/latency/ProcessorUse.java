package dev.larder.lab.latency;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many processors this process uses on average: two readings of clocks, cheap enough between two messages. */
final class ProcessorUse {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long startNanos = System.nanoTime();
    private final long processNanos = SYSTEM.getProcessCpuTime();
    private final long threadNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();

    private ProcessorUse() {}

    static ProcessorUse start() {
        return new ProcessorUse();
    }

    double cores() {
        return (double) (SYSTEM.getProcessCpuTime() - processNanos) / (System.nanoTime() - startNanos);
    }

    /** Of the calling thread alone, which must be the one that started. */
    double threadCores() {
        long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - threadNanos;
        return (double) used / (System.nanoTime() - startNanos);
    }
}
