package dev.larder.lucene;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the files of one directory, or of several that share this, may take, in bytes. Counted are whole pages:
 * 4 KiB for files of up to 2 MiB, 2 MiB for larger ones; a file that grows may count for more until it is closed.
 */
public final class MemoryBudget {

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

    /** Returns a new budget of three quarters of what the machine, or the container, has beside the largest heap. */
    public static MemoryBudget ofMachine() {
        long outside = machineBytes() - Runtime.getRuntime().maxMemory();
        return new MemoryBudget(Math.max(0, outside / 4 * 3));
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

    @Override
    public String toString() {
        return "a budget of " + limitBytes + " bytes, of which " + usedBytes + " are used";
    }
}
