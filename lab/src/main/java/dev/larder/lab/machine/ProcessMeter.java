package dev.larder.lab.machine;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.larder.cli.Figures;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * The resource use of this process between two instants: processor time, page faults, collections, bytes allocated.
 *
 * <p>Allocation counts only the calling thread; the rest, the whole process.
 */
public final class ProcessMeter {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path THREAD_STATUS = Path.of("/proc/thread-self/status");
    private static final AtomicLong LONGEST_PAUSE_MS = new AtomicLong();

    static {
        ManagementFactory.getGarbageCollectorMXBeans().forEach(ProcessMeter::listen);
    }

    private final long cpuNanos = SYSTEM.getProcessCpuTime();
    private final @Nullable Long faults = faults();
    private final @Nullable Long switches = switches();
    private final long collections = collections();
    private final long allocated = THREADS.getCurrentThreadAllocatedBytes();

    private ProcessMeter() {
        LONGEST_PAUSE_MS.set(0);
    }

    /** Starts measuring. */
    public static ProcessMeter start() {
        return new ProcessMeter();
    }

    private static void listen(GarbageCollectorMXBean collector) {
        if (isPausing(collector) && collector instanceof NotificationEmitter emitter) {
            emitter.addNotificationListener(
                    (notification, handback) -> {
                        if (notification.getUserData() instanceof CompositeData data) {
                            long pause = GarbageCollectionNotificationInfo.from(data)
                                    .getGcInfo()
                                    .getDuration();
                            LONGEST_PAUSE_MS.accumulateAndGet(pause, Math::max);
                        }
                    },
                    null,
                    null);
        }
    }

    /** ZGC and Shenandoah have two beans each: one counts concurrent cycles, one the pauses in them. */
    private static boolean isPausing(GarbageCollectorMXBean collector) {
        return !collector.getName().endsWith("Cycles") && !collector.getName().contains("Concurrent");
    }

    private static boolean countsCollections(GarbageCollectorMXBean collector) {
        return !collector.getName().endsWith("Pauses");
    }

    public double cpuMillis() {
        return (SYSTEM.getProcessCpuTime() - cpuNanos) / 1e6;
    }

    /** Returns the bytes that all threads of this JVM have allocated so far. */
    public static long allocatedByAllBytes() {
        return THREADS.getTotalThreadAllocatedBytes();
    }

    public long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }

    /**
     * {@code cpu_ms}, {@code faults}, {@code context_switches} (of the calling thread), {@code gc_count} and
     * {@code gc_pause_ms_max} since the start.
     */
    public Figures figures() {
        return new Figures()
                .put("cpu_ms", cpuMillis())
                .put("faults", since(faults, faults()))
                .put("context_switches", since(switches, switches()))
                .put("gc_count", collections() - collections)
                .put("gc_pause_ms_max", LONGEST_PAUSE_MS.get());
    }

    /** Returns {@code virt_bytes}, {@code res_bytes}, {@code numa_resident_bytes} of now. */
    public static Figures memory() {
        return new Figures()
                .put("virt_bytes", SystemFile.kibibytes(STATUS, "VmSize"))
                .put("res_bytes", SystemFile.kibibytes(STATUS, "VmRSS"))
                .put("numa_resident_bytes", NumaNodes.residentBytes());
    }

    private static @Nullable Long since(@Nullable Long before, @Nullable Long now) {
        return before == null || now == null ? null : Long.valueOf(now - before);
    }

    private static @Nullable Long switches() {
        String voluntary = Machine.colonValue(THREAD_STATUS, "voluntary_ctxt_switches");
        String forced = Machine.colonValue(THREAD_STATUS, "nonvoluntary_ctxt_switches");
        return voluntary == null || forced == null
                ? null
                : Long.valueOf(Long.parseLong(voluntary) + Long.parseLong(forced));
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(ProcessMeter::countsCollections)
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** Minor and major faults: the 10th and 12th field of the stat line, whose 2nd, a name, is in parentheses. */
    private static @Nullable Long faults() {
        try {
            String line = Files.readString(STAT);
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1); // from the 3rd field on
            return Long.parseLong(fields[7]) + Long.parseLong(fields[9]);
        } catch (IOException e) {
            return null;
        }
    }
}
