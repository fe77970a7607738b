package dev.larder.cli.top;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that has files of logs mapped.
 *
 * @param virtualBytes the size of its address space
 * @param residentBytes its resident memory, mapped files included
 * @param pausedSeconds how long its JVM has stood at safepoints since it started; empty if it does not report that
 */
record ProcessLook(
        long pid, String command, long virtualBytes, long residentBytes, OptionalDouble pausedSeconds, Set<Path> logs) {

    private static final Path PROCESSES = Path.of("/proc");
    private static final String CONTROL_FILE = "/log.ctl";

    /** How Java takes bytes of names for characters. Another process may have names with other bytes. */
    private static final Charset NAMES =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);

    /** Returns the processes that have one of the logs mapped, as far as the system lets us see them. */
    static List<ProcessLook> of(Set<Path> logs) {
        List<ProcessLook> found = new ArrayList<>();
        for (Path process : processes()) {
            Set<Path> mapped = mapped(process, logs);
            if (!mapped.isEmpty()) {
                look(process, mapped).ifPresent(found::add);
            }
        }
        return found;
    }

    private static List<Path> processes() {
        if (!Files.isDirectory(PROCESSES)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(PROCESSES)) {
            String self = Long.toString(ProcessHandle.current().pid());
            return entries.filter(entry -> String.valueOf(entry.getFileName()).matches("\\d+"))
                    .filter(entry -> !String.valueOf(entry.getFileName()).equals(self))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns which logs a process has mapped, by their control files: each log has one. */
    private static Set<Path> mapped(Path process, Set<Path> logs) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(process.resolve("maps")), NAMES))) {
            return mapped(lines.lines(), logs);
        } catch (IOException | UncheckedIOException e) {
            return Set.of(); // ended meanwhile, or another user's
        }
    }

    /** Compares texts: a name of another process may not be a path here. */
    static Set<Path> mapped(Stream<String> lines, Set<Path> logs) {
        Map<String, Path> names = logs.stream().collect(Collectors.toMap(Path::toString, log -> log));
        Set<Path> mapped = new TreeSet<>();
        lines.filter(line -> line.endsWith(CONTROL_FILE))
                .map(line -> names.get(line.substring(line.indexOf('/'), line.length() - CONTROL_FILE.length())))
                .filter(Objects::nonNull)
                .forEach(mapped::add);
        return mapped;
    }

    private static Optional<ProcessLook> look(Path process, Set<Path> mapped) {
        try {
            long pid = Long.parseLong(String.valueOf(process.getFileName()));
            List<String> status = text(process.resolve("status")).lines().toList();
            String command = text(process.resolve("comm")).strip();
            return Optional.of(new ProcessLook(
                    pid,
                    command,
                    bytes(status, "VmSize:"),
                    bytes(status, "VmRSS:"),
                    PerformanceData.pausedSeconds(pid),
                    mapped));
        } catch (IOException e) {
            return Optional.empty(); // ended meanwhile
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), NAMES);
    }

    /** Returns the bytes that a line of a process's status tells in kB: {@code VmRSS:  1234 kB}. A process that ends has none. */
    static long bytes(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> 1024
                        * Long.parseLong(
                                line.substring(name.length()).replace("kB", "").strip()))
                .findFirst()
                .orElse(0);
    }
}
