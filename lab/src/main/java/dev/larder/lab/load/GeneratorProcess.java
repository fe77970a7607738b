package dev.larder.lab.load;

import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A generator as a process of this machine.
 *
 * <p>Where a target may take every processor for a while (a collector on a small machine), a generator of the same
 * priority is late, and its figures are void. It can be put before the others: {@code nice -n -10}, which takes the right
 * to raise a priority (root, or {@code CAP_SYS_NICE}); without the right it runs like all others. Where the kernel groups
 * processes by session (autogroup) it goes before those of its own session, the target among them.
 *
 * @param process to ask and to guard
 * @param niceness to others: 0, or -10 when it goes before them
 */
public record GeneratorProcess(ChildProcess process, int niceness) {

    /** The heap of a generator; what it keeps of its requests is outside. */
    public static final long HEAP_BYTES = 64L << 20;

    private static final List<String> RAISED = List.of("nice", "-n", "-10");

    /**
     * Starts a generator that goes before other processes where the system allows it; its log is {@code generator.log} in
     * {@code logs}.
     *
     * @param main serves a {@link GeneratorLoop}
     */
    public static GeneratorProcess startRaised(Path logs, long heapBytes, Class<?> main) {
        boolean isRaised = mayRaise();
        List<String> command = new ArrayList<>(isRaised ? RAISED : List.of());
        command.addAll(JavaProcess.command(heapBytes, main));
        ChildProcess process = ChildProcess.start("generator", command, MemoryLimit.none(), logs);
        return new GeneratorProcess(process, isRaised ? -10 : 0);
    }

    /** Asks {@code nice} to start itself, which then prints how nice it is. */
    private static boolean mayRaise() {
        return SystemCommand.tried(Path.of(""), "nice", "-n", "-10", "nice")
                .filter("-10"::equals)
                .isPresent();
    }
}
