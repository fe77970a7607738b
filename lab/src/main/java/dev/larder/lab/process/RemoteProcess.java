package dev.larder.lab.process;

import dev.larder.cli.Figures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process on another host, at the end of a command that leads there: {@code ssh HOST larder lab play}, and the part that it
 * is to play. What is said to it goes through that command, and it ends when the command does.
 */
public final class RemoteProcess implements Peer {

    private static final int CLOCK_QUESTIONS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String command;
    private final ChildProcess process;

    private RemoteProcess(String command, ChildProcess process) {
        this.command = command;
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param command in words, with spaces between
     * @param part what it is to play, such as {@code generator}; its log is {@code PART.log} in {@code logs}
     */
    public static RemoteProcess start(String command, String part, Path logs) {
        return start(command, part, logs, PATIENCE);
    }

    /** As above; a host that says nothing for so long is given up. */
    static RemoteProcess start(String command, String part, Path logs, Duration patience) {
        List<String> words = new ArrayList<>(List.of(command.strip().split("\\s+", -1)));
        words.add(part);
        return new RemoteProcess(command, ChildProcess.start(part, words, MemoryLimit.none(), logs, patience));
    }

    @Override
    public Figures ask(String question, Figures arguments) {
        return process.ask(question, arguments);
    }

    /** On another host it writes to a directory of the same name, in its own. */
    @Override
    public String place(Path directory) {
        return directory.getFileName().toString();
    }

    /** {@inheritDoc} Asked several times; the quickest answer tells it best, to half of the time it took. */
    @Override
    public long clockAheadNanos() {
        long quickest = Long.MAX_VALUE;
        long ahead = 0;
        for (int i = 0; i < CLOCK_QUESTIONS; i++) {
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
        return command;
    }

    @Override
    public void destroy() {
        process.destroy();
    }

    @Override
    public void close() {
        process.close();
    }
}
