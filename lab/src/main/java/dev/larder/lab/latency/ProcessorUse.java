package dev.larder.lab.latency;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The average number of processors that this process uses; cheap enough to read between two messages. */
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

    /** Returns the use of the calling thread, which must be the starting one. */
    double threadCores() {
        long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - threadNanos;
        return (double) used / (System.nanoTime() - startNanos);
    }
}
