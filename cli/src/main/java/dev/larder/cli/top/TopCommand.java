package dev.larder.cli.top;

import dev.larder.cli.CommandProvider;
import dev.larder.cli.ExitCode;
import dev.larder.cli.FailureReason;
import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.cli.LiveFiles;
import dev.larder.cli.Streams;
import dev.larder.cli.output.Counted;
import dev.larder.cli.output.TerminalSize;
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
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows all logs below a folder, and the processes that use them, on a screen that refreshes. */
@Command(
        name = "top",
        description = {
            "Shows all logs below a folder, and the processes that have them open, on one screen that "
                    + "refreshes. On a terminal, q ends it, the arrows and space scroll, and s sorts by name, size, "
                    + "appends or lag.",
            "For each log it shows resident memory, rates, and how long ago the last appended bytes became "
                    + "durable. It changes nothing. It can see processes of the same user, or all as root, and none "
                    + "in another container."
        },
        mixinStandardHelpOptions = true,
        footer = {ExitCode.EXAMPLES, "  larder top .", "  larder top /var/lib/larder --once --json", ExitCode.HELP})
public final class TopCommand implements CommandProvider, Callable<Integer> {

    private static final String CONTROL_FILE = "log.ctl";
    private static final int DEPTH = 16;
    private static final Duration INTERVAL_MOST = Duration.ofHours(24);

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "DIRECTORY", description = "A folder. Every log in it and below it is shown.")
    private Path directory = Path.of("");

    @Option(names = "--once", description = "Measure for one interval, then print the screen once.")
    private boolean once;

    @Option(names = "--interval", paramLabel = "TIME", description = "How often to measure, at most 24h (2s).")
    private Duration interval = Duration.ofSeconds(2);

    @Option(names = "--json", description = "Print a line of JSON for each measurement instead of a screen.")
    private boolean json;

    private final Map<Path, LogWatch> watches = new TreeMap<>();
    private final Map<Path, String> failures = new TreeMap<>();
    private final SortedSet<Path> refused = new TreeSet<>();
    private Map<Long, ProcessLook> processesBefore = new HashMap<>();

    @Override
    public CommandLine command() {
        return new CommandLine(this);
    }

    @Override
    public Integer call() {
        if (interval.isZero()) {
            throw new ParameterException(command.commandLine(), "--interval 0: the least is 1us");
        }
        if (interval.compareTo(INTERVAL_MOST) > 0) {
            throw new ParameterException(
                    command.commandLine(), "--interval " + interval.toHours() + "h: the most is 24h");
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
        look(); // the baseline of the rates
        if (streams.terminal() && !once && !json) {
            showOnTerminal(streams.out());
            return;
        }
        PrintStream out = streams.out();
        do {
            pause();
            Figures figures = look();
            out.print(json ? figures.toJson() + "\n" : String.join("\n", TopScreen.lines(figures)) + "\n\n");
        } while (!once && !out.checkError());
        out.flush();
    }

    /**
     * Shows screens on a terminal. Keys are read as they are pressed. The terminal is restored at the end, also after Ctrl-C.
     */
    private void showOnTerminal(PrintStream out) {
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).dumb(true).build()) {
            Attributes before = terminal.enterRawMode();
            Thread restore = new Thread(() -> terminal.setAttributes(before), "larder-terminal");
            Runtime.getRuntime().addShutdownHook(restore);
            try {
                watch(terminal.reader()::read, out);
            } finally {
                Runtime.getRuntime().removeShutdownHook(restore);
                terminal.setAttributes(before);
            }
        } catch (IOException e) {
            throw new LarderException("cannot use the terminal: " + e.getMessage(), e);
        }
    }

    /** Shows screens until a key quits, or the output's reader is gone. */
    void watch(TopKey.Source keys, PrintStream out) throws IOException {
        TopView view = new TopView();
        Figures figures = look();
        long next = System.nanoTime() + interval.toNanos();
        while (!out.checkError()) {
            Optional<TerminalSize> size = TerminalSize.ask();
            int width = size.map(TerminalSize::columns).orElse(Integer.MAX_VALUE);
            out.print(view.over(TopScreen.lines(figures, view.sorted(figures.rows("logs")), width), size));
            out.flush();
            TopKey key = TopKey.next(keys, Math.max(1, (next - System.nanoTime()) / 1_000_000));
            if (key == TopKey.QUIT) {
                return;
            }
            view.press(key);
            if (System.nanoTime() - next >= 0) {
                figures = look();
                next = System.nanoTime() + interval.toNanos();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(interval);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LarderException("interrupted between two measurements", e);
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
                .put("failures", failures());
    }

    /** Adds a look at a log. A log that cannot be read is reported, and read again the next time. */
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
            boolean gone = !found.contains(entry.getKey()) || entry.getValue().isReplaced();
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

    private List<String> failures() {
        List<String> all = new ArrayList<>(failures.values());
        if (!refused.isEmpty()) {
            String others = refused.size() == 1 ? "" : ", and " + Counted.of(refused.size() - 1, "other folder");
            all.add(refused.first() + others + ": permission denied");
        }
        return all;
    }

    /** Returns the logs. Those in a folder that this process may not read are left out, and the folder is reported. */
    private Set<Path> logs() {
        refused.clear();
        try {
            return LiveFiles.readableSizes(directory.toRealPath(), DEPTH, refused).keySet().stream()
                    .filter(file -> CONTROL_FILE.equals(String.valueOf(file.getFileName())))
                    .map(file -> file.resolveSibling("").normalize())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new LarderException("cannot read the folder " + directory + ": " + FailureReason.withoutPath(e), e);
        }
    }
}
