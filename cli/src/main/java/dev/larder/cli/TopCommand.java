package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows all logs under a folder, and the processes that use them, again and again. */
@Command(
        name = "top",
        description = {
            "Shows all logs under a folder, and the processes that have them mapped: one screen, refreshed; Ctrl-C"
                    + " ends it.",
            "Logs are looked at from outside, read-only: in memory (mincore), rates (log.cnt), and how long ago what"
                    + " was appended became durable. Processes need to be visible: the same user, or root, and no other"
                    + " container."
        },
        mixinStandardHelpOptions = true,
        footer = ExitCode.HELP)
final class TopCommand implements Callable<Integer> {

    private static final String CONTROL_FILE = "log.ctl";
    private static final int DEPTH = 16;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "DIRECTORY", description = "A folder; every log in it and below it is shown.")
    private Path directory = Path.of("");

    @Option(names = "--once", description = "Two looks, an interval apart, then the screen once.")
    private boolean once;

    @Option(names = "--interval", paramLabel = "TIME", description = "Between two looks (2s).")
    private Duration interval = Duration.ofSeconds(2);

    @Option(names = "--json", description = "A line of JSON for each look, instead of a screen.")
    private boolean json;

    private final Map<Path, LogWatch> watches = new TreeMap<>();
    private final Map<Path, String> failures = new TreeMap<>();
    private Map<Long, ProcessLook> processesBefore = new HashMap<>();

    @Override
    public Integer call() {
        if (interval.isZero()) {
            throw new ParameterException(command.commandLine(), "--interval 0: the least is 1us");
        }
        if (!Files.isDirectory(directory)) {
            throw new LarderException("there is no folder " + directory);
        }
        try {
            show(Larder.streams(command));
            return ExitCode.OK;
        } finally {
            watches.values().forEach(LogWatch::close);
        }
    }

    private void show(Streams streams) {
        PrintStream out = streams.out();
        boolean terminal = streams.terminal() && !once && !json;
        look(); // what rates are counted from
        do {
            pause();
            Figures figures = look();
            out.print(json ? figures.toJson() + "\n" : screen(figures, terminal));
        } while (!once && !out.checkError());
        out.flush();
    }

    private static String screen(Figures figures, boolean terminal) {
        List<String> lines = TopScreen.lines(figures);
        return terminal ? TopScreen.over(lines, TerminalSize.ask()) : String.join("\n", lines) + "\n\n";
    }

    private void pause() {
        try {
            Thread.sleep(interval);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted between two looks", e);
        }
    }

    private Figures look() {
        Set<Path> found = logs();
        open(found);
        List<Figures> logs = new ArrayList<>();
        watches.forEach((path, watch) -> watched(path, watch, logs));
        return new Figures()
                .put("directory", directory.toString())
                .put("interval_ms", interval.toMillis())
                .put("logs", logs)
                .put("processes", processes(found))
                .put("failures", failures.values());
    }

    /** A log that cannot be looked at is told of, and looked at again the next time. */
    private void watched(Path path, LogWatch watch, List<Figures> logs) {
        try {
            logs.add(TopFigures.ofLog(directory, watch.look()));
            failures.remove(path);
        } catch (LarderException e) {
            failures.put(path, String.valueOf(e.getMessage()));
        }
    }

    private void open(Set<Path> found) {
        watches.entrySet().removeIf(entry -> {
            boolean gone = !found.contains(entry.getKey());
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
        failures.keySet().retainAll(found);
        for (Path path : found) {
            if (!watches.containsKey(path)) {
                open(path);
            }
        }
    }

    private void open(Path path) {
        try {
            watches.put(path, new LogWatch(path));
            failures.remove(path);
        } catch (LarderException e) {
            failures.put(path, String.valueOf(e.getMessage()));
        }
    }

    private List<Figures> processes(Set<Path> logs) {
        Map<Long, ProcessLook> now = new TreeMap<>();
        ProcessLook.of(logs).forEach(process -> now.put(process.pid(), process));
        List<Figures> figures = now.values().stream()
                .map(process -> TopFigures.ofProcess(directory, process, processesBefore.get(process.pid())))
                .toList();
        processesBefore = now;
        return figures;
    }

    private Set<Path> logs() {
        try {
            return LiveFiles.sizes(directory.toRealPath(), DEPTH).keySet().stream()
                    .filter(file -> CONTROL_FILE.equals(String.valueOf(file.getFileName())))
                    .map(file -> file.resolveSibling("").normalize())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new LarderException("cannot read the folder " + directory + ": " + e.getMessage(), e);
        }
    }
}
