package dev.larder.cli.top;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
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
    private static final long PAGE_BYTES = 4096;

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
        Set<Path> mapped = new TreeSet<>();
        try (Stream<String> lines = Files.lines(process.resolve("maps"))) {
            lines.filter(line -> line.endsWith(CONTROL_FILE))
                    .map(line -> Path.of(line.substring(line.indexOf('/'), line.length() - CONTROL_FILE.length())))
                    .filter(logs::contains)
                    .forEach(mapped::add);
        } catch (IOException | UncheckedIOException e) {
            return Set.of(); // ended meanwhile, or another user's
        }
        return mapped;
    }

    private static Optional<ProcessLook> look(Path process, Set<Path> mapped) {
        try {
            long pid = Long.parseLong(String.valueOf(process.getFileName()));
            String[] pages = Files.readString(process.resolve("statm")).split(" ", -1);
            String command = Files.readString(process.resolve("comm")).strip();
            return Optional.of(new ProcessLook(
                    pid,
                    command,
                    Long.parseLong(pages[0]) * PAGE_BYTES,
                    Long.parseLong(pages[1]) * PAGE_BYTES,
                    PerformanceData.pausedSeconds(pid),
                    mapped));
        } catch (IOException e) {
            return Optional.empty(); // ended meanwhile
        }
    }
}
