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
 */
public final class GeneratorProcess implements AutoCloseable {

    /** The heap of a generator; what it keeps of its requests is outside. */
    public static final long HEAP_BYTES = 64L << 20;

    private static final int RAISED = -10;

    private final ChildProcess process;
    private final int niceness;

    private GeneratorProcess(ChildProcess process, int niceness) {
        this.process = process;
        this.niceness = niceness;
    }

    /** Starts a generator of the ordinary priority; its log is {@code generator.log} in {@code logs}. */
    public static GeneratorProcess start(Path logs) {
        return start(logs, HEAP_BYTES, GeneratorChild.class, 0);
    }

    /** Starts a generator that goes before other processes where the system allows it. */
    public static GeneratorProcess startRaised(Path logs) {
        return startRaised(logs, HEAP_BYTES, GeneratorChild.class);
    }

    /** Starts such a generator with drivers of its own, which {@code main} serves by a {@link GeneratorLoop}. */
    public static GeneratorProcess startRaised(Path logs, long heapBytes, Class<?> main) {
        return start(logs, heapBytes, main, mayRaise() ? RAISED : 0);
    }

    private static GeneratorProcess start(Path logs, long heapBytes, Class<?> main, int niceness) {
        List<String> command = new ArrayList<>();
        if (niceness != 0) {
            command.addAll(nice());
        }
        command.addAll(JavaProcess.command(heapBytes, main));
        return new GeneratorProcess(ChildProcess.start("generator", command, MemoryLimit.none(), logs), niceness);
    }

    private static List<String> nice() {
        return List.of("nice", "-n", Integer.toString(RAISED));
    }

    /** Asks {@code nice} to start itself, which then prints how nice it is. */
    private static boolean mayRaise() {
        String raised = Integer.toString(RAISED);
        return SystemCommand.tried(Path.of(""), "nice", "-n", raised, "nice")
                .filter(raised::equals)
                .isPresent();
    }

    /** Returns the process, to ask and to guard. */
    public ChildProcess process() {
        return process;
    }

    /** Returns how nice it is to others: 0, or -10 when it goes before them. */
    public int niceness() {
        return niceness;
    }

    @Override
    public void close() {
        process.close();
    }
}
