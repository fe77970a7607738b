package dev.larder.lucene;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the files of one directory, or of several that share this, may take, in bytes. Counted are whole pages:
 * 4 KiB for files of up to 2 MiB, 2 MiB for larger ones; a file that grows may count for more until it is closed.
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
     * @param limitBytes at least 0; with 0 no file comes into memory
     */
    public static MemoryBudget of(long limitBytes) {
        if (limitBytes < 0) {
            throw new IllegalArgumentException("a budget of " + limitBytes + " bytes: the least is 0");
        }
        return new MemoryBudget(limitBytes);
    }

    /** Returns a new budget without a limit: who takes it watches the machine's memory himself. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE);
    }

    /**
     * Returns the budget that the directories of this JVM share where they are given no other: three quarters of what the
     * machine, or the container, has beside the largest heap.
     */
    public static MemoryBudget ofProcess() {
        return OfProcess.BUDGET;
    }

    /** Returns how much memory the machine, or the container, has. */
    static long machineBytes() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getTotalMemorySize();
    }

    /** Returns the limit. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Returns what is taken now, by all who share this. */
    public long usedBytes() {
        return usedBytes.get();
    }

    long freeBytes() {
        return limitBytes - usedBytes.get();
    }

    /** Takes bytes; false, and nothing is taken, where that would pass the limit. */
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

    /** Made when it is first asked for. */
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
