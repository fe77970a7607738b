package dev.larder.lab.machine;

import dev.larder.cli.Figures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The resource use of other processes of this host; 0 if unknown. An ended process does not count. */
public final class ProcessUse {

    private static final Path PROC = Path.of("/proc");

    private ProcessUse() {}

    /**
     * Returns sums: {@code cpu_ms}, {@code memory_bytes} (no files on disk), {@code threads}; {@code loopback_bytes} of all.
     */
    public static Figures of(List<Long> pids) {
        return new Figures()
                .put("cpu_ms", sum(pids, ProcessUse::cpuMillis))
                .put("memory_bytes", (long) sum(pids, ProcessMemory::takenBytes))
                .put("threads", (long) sum(pids, pid -> number(pid, "status", "Threads")))
                .put("loopback_bytes", loopbackBytes());
    }

    private static double sum(List<Long> pids, ToDoubleFunction<Long> figure) {
        return pids.stream().mapToDouble(figure).sum();
    }

    private static double cpuMillis(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toMillis)
                .orElse(0L);
    }

    private static double number(long pid, String file, String name) {
        return orZero(Machine.colonValue(PROC.resolve(Long.toString(pid)).resolve(file), name));
    }

    /** Returns the number after the interface's name: the bytes that it has received. */
    private static double loopbackBytes() {
        String line = Machine.colonValue(PROC.resolve("net/dev"), "    lo");
        return orZero(line == null ? null : line.split("\\s+", 2)[0]);
    }

    private static double orZero(@Nullable String number) {
        return number == null ? 0 : Double.parseDouble(number);
    }
}
