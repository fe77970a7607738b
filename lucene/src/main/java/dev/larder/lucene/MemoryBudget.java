package dev.larder.lucene;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limit of memory, in bytes, for the files of one directory or of several that share this budget. It counts whole pages: 4
 * KiB for files of up to 2 MiB, 2 MiB for larger ones. A growing file may count for more until it is closed.
 */
public final class MemoryBudget {

    private static final int PARTS_OF_MACHINE = 4;
    private static final int PARTS_TAKEN = 3;

    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();

    private MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Returns a new budget.
     *
     * @param limitBytes at least 0; with 0 no file is loaded into memory
     */
    public static MemoryBudget of(long limitBytes) {
        if (limitBytes < 0) {
            throw new IllegalArgumentException("a budget of " + limitBytes + " bytes: the least is 0");
        }
        return new MemoryBudget(limitBytes);
    }

    /** Returns a new budget without a limit. The caller has to watch the machine's memory. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE);
    }

    /**
     * Returns the budget that the directories of this JVM share by default. It is three quarters of the memory that the machine
     * or container has beyond the largest heap.
     */
    public static MemoryBudget ofProcess() {
        return OfProcess.BUDGET;
    }

    /** Returns how much memory the machine or the container has. */
    static long machineBytes() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getTotalMemorySize();
    }

    /** Returns the limit. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Returns how many bytes are taken now, by all directories that share this budget. */
    public long usedBytes() {
        return usedBytes.get();
    }

    long freeBytes() {
        return limitBytes - usedBytes.get();
    }

    /** Takes bytes; returns false and takes nothing if that would exceed the limit. */
    boolean tryTake(long bytes) {
        long used = usedBytes.get();
        while (bytes <= limitBytes - used) {
            if (usedBytes.compareAndSet(used, used + bytes)) {
                return true;
            }
            used = usedBytes.get();
        }
        return false;
    }

    void give(long bytes) {
        long left = usedBytes.addAndGet(-bytes);
        assert left >= 0 : "more was given back than was taken: " + left;
    }

    /** Holds the process's budget, which is made on first use. */
    private static final class OfProcess {

        static final MemoryBudget BUDGET =
                of(Math.max(0, (machineBytes() - Runtime.getRuntime().maxMemory()) / PARTS_OF_MACHINE * PARTS_TAKEN));

        private OfProcess() {}
    }

    @Override
    public String toString() {
        return "a budget of " + limitBytes + " bytes, of which " + usedBytes + " are used";
    }
}
