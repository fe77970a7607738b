package dev.larder.server.operate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Figures of this process from the system. A figure that the system does not provide is 0. */
final class ProcessFigures {

    private static final int KIB = 1024;
    private static final int USER_FIELD = 11;
    private static final double TICKS_PER_SECOND = 100;
    private static final int NANOS = 1_000_000_000;

    private ProcessFigures() {}

    /** Returns the memory of the process that is resident, in bytes. */
    static long residentBytes() {
        return kibibytes(Path.of("/proc/self/status"), "VmRSS:");
    }

    /** Returns the memory of the machine, in bytes. */
    static long machineBytes() {
        return kibibytes(Path.of("/proc/meminfo"), "MemTotal:");
    }

    private static long kibibytes(Path file, String name) {
        for (String line : lines(file)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
            }
        }
        return 0;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the processor time in user mode, in seconds; all processor time if the system does not provide both. */
    static double userSeconds() {
        double user = ticks(0);
        if (user > 0) {
            return user;
        }
        Duration all = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return all.toNanos() / (double) NANOS;
    }

    /** Returns the processor time in the system, in seconds. */
    static double systemSeconds() {
        return ticks(1);
    }

    private static double ticks(int field) {
        List<String> lines = lines(Path.of("/proc/self/stat"));
        if (lines.isEmpty()) {
            return 0;
        }
        String behindName = lines.getFirst().substring(lines.getFirst().lastIndexOf(')') + 2);
        return Long.parseLong(behindName.split(" ", -1)[USER_FIELD + field]) / TICKS_PER_SECOND;
    }
}
