package dev.larder.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time of all processors of the machine since its start, in ticks, from {@code /proc/stat}.
 *
 * @param total all of it
 * @param idle time without work, waiting for a disk included
 * @param steal time that the hypervisor gave to other machines while there was work
 * @param processors how many processors the machine has; this process may be allowed fewer
 */
public record ProcessorTime(long total, long idle, long steal, int processors) {

    private static final Path FILE = Path.of("/proc/stat");
    private static final int FIELDS = 8; // user nice system idle iowait irq softirq steal; guests are within user

    /** Returns the time so far; null if unknown. */
    public static @Nullable ProcessorTime read() {
        try (Stream<String> lines = Files.lines(FILE)) {
            return parse(lines.toList());
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Parses the lines: {@code cpu  user nice system idle iowait irq softirq steal guest guest_nice} for all processors, and one
     * for each, {@code cpu0 ...}.
     */
    public static ProcessorTime parse(List<String> lines) {
        String line = lines.isEmpty() ? "" : lines.getFirst();
        long[] ticks = Arrays.stream(line.strip().split("\\s+", -1))
                .skip(1)
                .limit(FIELDS)
                .mapToLong(Long::parseLong)
                .toArray();
        if (ticks.length < FIELDS) {
            throw new IllegalArgumentException("too few fields: " + line);
        }
        long processors =
                lines.stream().filter(each -> each.matches("cpu\\d+ .*")).count();
        return new ProcessorTime(Arrays.stream(ticks).sum(), ticks[3] + ticks[4], ticks[7], (int) processors);
    }

    public static double stealPercent(@Nullable ProcessorTime from, @Nullable ProcessorTime to) {
        return from == null || to == null ? Double.NaN : 100.0 * (to.steal - from.steal) / elapsed(from, to);
    }

    /** Returns the average number of busy processors. */
    public static double busyProcessors(@Nullable ProcessorTime from, @Nullable ProcessorTime to) {
        if (from == null || to == null) {
            return Double.NaN;
        }
        long busy = elapsed(from, to) - (to.idle - from.idle) - (to.steal - from.steal);
        return (double) busy / elapsed(from, to) * to.processors;
    }

    private static long elapsed(ProcessorTime from, ProcessorTime to) {
        return Math.max(1, to.total - from.total);
    }
}
