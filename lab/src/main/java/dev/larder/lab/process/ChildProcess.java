package dev.larder.lab.process;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that measures for an experiment, and is idle until it gets a question.
 *
 * <p>Each line is one JSON object: a question {@code {"do": NAME, ...}} on its standard input, or an answer on its standard
 * output. A failure's answer is {@code {"error": TEXT}}. Other output goes to a log file. The process ends when its
 * standard input ends, so it never outlives its parent.
 */
public final class ChildProcess implements Peer {

    private static final int CLOCK_QUESTIONS = 8;
    private static final long END_SECONDS = 20;
    /** A process that swaps, or is held by a debugger, may start slowly. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final String name;
    private final Process process;
    private final Path log;
    private final MemoryLimit limit;
    private final @Nullable String way;
    private final BufferedWriter questions;
    private final BufferedReader answers;
    private volatile @Nullable String silence;
    private Figures facts = new Figures();

    private ChildProcess(String name, Process process, Path log, MemoryLimit limit, @Nullable String way) {
        this.way = way;
        this.name = name;
        this.process = process;
        this.log = log;
        this.limit = limit;
        questions = process.outputWriter(StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a command under a limit; its log is {@code NAME.log} in {@code logs}. */
    public static ChildProcess start(String name, List<String> command, MemoryLimit limit, Path logs) {
        return start(name, command, limit, logs, null, PATIENCE);
    }

    /**
     * Starts a process on another host by a command that leads there: {@code ssh HOST larder lab play}, and its part. All
     * questions and answers go through that command, and the process ends when the command does.
     *
     * @param way the command in words, with spaces between
     * @param part its part, such as {@code generator}; its log is {@code PART.log} in {@code logs}
     * @param patience a host that is silent for so long is given up
     */
    public static ChildProcess startThere(String way, String part, Path logs, Duration patience) {
        List<String> words = new ArrayList<>(List.of(way.strip().split("\\s+", -1)));
        words.add(part);
        return start(part, words, MemoryLimit.none(), logs, way, patience);
    }

    private static ChildProcess start(
            String name, List<String> command, MemoryLimit limit, Path logs, @Nullable String way, Duration patience) {
        Path log = logs.resolve(name + ".log");
        return Attempt.giving("start the child process '" + name + "'", () -> {
            Process process = new ProcessBuilder(limit.wrap(deafToInterrupt(command)))
                    .redirectError(log.toFile())
                    .start();
            ChildProcess child = new ChildProcess(name, process, log, limit, way);
            child.begin(patience);
            return child;
        });
    }

    /** Waits until it answers, and checks that its limit holds. */
    private void begin(Duration patience) {
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                () -> endAsSilent(patience),
                CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
        try {
            facts = ask("facts", new Figures());
            limit.joined(process.pid());
        } catch (LarderException e) {
            close();
            limit.close();
            throw e;
        } finally {
            end.cancel(false);
        }
    }

    private void endAsSilent(Duration patience) {
        silence = "it has sent nothing for " + patience.toSeconds() + " s";
        destroy();
    }

    /** Ctrl-C reaches every process of a terminal; only the parent must act on it. Children inherit an ignored signal. */
    private static List<String> deafToInterrupt(List<String> command) {
        if (!Files.isExecutable(Path.of("/bin/sh"))) {
            return command;
        }
        List<String> deaf = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT && exec \"$@\"", "sh"));
        deaf.addAll(command);
        return deaf;
    }

    public MemoryLimit limit() {
        return limit;
    }

    /** Returns the facts of its JVM, which it has told at its start: it may have ended since. */
    public Figures facts() {
        return facts;
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** On another host, returns a directory of the same name in the process's own. */
    @Override
    public String place(Path directory) {
        return (way == null ? directory.toAbsolutePath() : directory.getFileName()).toString();
    }

    /** {@inheritDoc} Asks several times and uses the quickest answer, which is exact to half of its duration. */
    @Override
    public long clockAheadNanos() {
        long quickest = Long.MAX_VALUE;
        long ahead = 0;
        for (int i = 0; way != null && i < CLOCK_QUESTIONS; i++) {
            long before = System.nanoTime();
            long there = ask("clock", new Figures()).whole("nanos");
            long took = System.nanoTime() - before;
            if (took < quickest) {
                quickest = took;
                ahead = there - before - took / 2;
            }
        }
        return ahead;
    }

    @Override
    public String host() {
        return way == null ? "here" : way;
    }

    @Override
    public Figures ask(String command, Figures arguments) {
        try {
            questions.write(new Figures().put("do", command).putAll(arguments).toJson());
            questions.newLine();
            questions.flush();
            String line = answers.readLine();
            if (line == null) {
                throw new LabException(death(command));
            }
            return answer(command, Figures.parse(line));
        } catch (IOException e) {
            throw new LabException(death(command), e);
        }
    }

    private Figures answer(String command, Figures answer) {
        if (answer.has("error")) {
            throw new LabException(
                    "the child process '" + name + "' failed at '" + command + "': " + answer.text("error"));
        }
        return answer;
    }

    private String death(String command) {
        Long killed = limit.group().map(ControlGroup::killed).orElse(null);
        String silent = silence == null ? LocalServer.lastWords(log) : String.valueOf(silence);
        String reason = killed != null && killed > 0 ? "the kernel killed it because memory ran out" : silent;
        return "the child process '" + name + "' ended during '" + command + "' (" + reason + ")";
    }

    @Override
    public void destroy() {
        process.destroyForcibly();
    }

    /** Ends the standard input, waits for the process to end, and kills it if it does not. */
    @Override
    public void close() {
        try {
            questions.close();
        } catch (IOException e) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
