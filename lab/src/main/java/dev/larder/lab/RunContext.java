package dev.larder.lab;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.ResultFolder;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a running experiment.
 *
 * @param folder of the result
 * @param data the experiment's own directory, removed after the run unless the data is kept
 * @param progress to report to
 * @param interruption to check between steps
 * @param finished samples of an earlier, interrupted run, which need not be measured again
 */
public record RunContext(
        ResultFolder folder, Path data, Progress progress, Interruption interruption, List<Figures> finished) {

    /** A host that is silent for this long is given up. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Copies the samples. */
    public RunContext {
        finished = List.copyOf(finished);
    }

    /** Returns a copy with its data in another directory. */
    public RunContext on(Path elsewhere) {
        return new RunContext(folder, elsewhere, progress, interruption, finished);
    }

    /** Starts a child JVM as below, without a memory limit. */
    public ChildProcess start(String name, List<String> command) {
        return start(name, command, MemoryLimit.none());
    }

    /** Starts a child JVM, which an interruption of the run ends; its log is in the result folder. */
    public ChildProcess start(String name, List<String> command, MemoryLimit limit) {
        ChildProcess child = ChildProcess.start(name, command, limit, folder.directory());
        interruption.guard(child);
        return child;
    }

    /** Starts a part on another host, as {@link ChildProcess#startThere}; an interruption of the run ends it. */
    public ChildProcess startThere(String way, String part) {
        ChildProcess there = startUnguarded(way, part);
        interruption.guard(there);
        return there;
    }

    /** Starts a part on another host, which an interruption of the run does not end. */
    public ChildProcess startUnguarded(String way, String part) {
        return ChildProcess.startThere(way, part, folder.directory(), PATIENCE);
    }

    /**
     * Measures to the end, or to the first failed check.
     *
     * @param measurement returns why its figures prove nothing; null when all checks held
     * @return that reason, or the failure that ended it; null if it was interrupted
     */
    public @Nullable String reasonOf(Supplier<@Nullable String> measurement) {
        try {
            return measurement.get();
        } catch (LarderException e) {
            return interruption.isInterrupted() ? null : e.getMessage();
        }
    }
}
