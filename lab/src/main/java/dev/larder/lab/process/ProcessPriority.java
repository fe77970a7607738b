package dev.larder.lab.process;

import dev.larder.lab.machine.SystemCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The priority of a process of this host when others want the same processor. */
public enum ProcessPriority {
    /** As any other. */
    USUAL(""),

    /**
     * Before others. A thread that wakes may still wait 4 ms for the kernel's next tick. If the kernel groups processes
     * by session (autogroup), the process goes before those of its own session.
     */
    RAISED("nice -n -10"),

    /**
     * At once. The kernel stops a process after 0.95 s of a second on a processor, so this is for one that works little.
     */
    REAL_TIME("chrt --rr 1");

    private final String prefix;

    ProcessPriority(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Returns this one, or the next lower one that is possible here. All above {@link #USUAL} require the right to raise a
     * priority (root, or {@code CAP_SYS_NICE}), and a program of the system.
     */
    public ProcessPriority possible() {
        return switch (this) {
            case REAL_TIME -> isPossible() ? this : RAISED.possible();
            case RAISED -> isPossible() ? this : USUAL;
            case USUAL -> this;
        };
    }

    /** Runs {@code nice} this way, which prints its priority: without the right, it continues with a lower one. */
    private boolean isPossible() {
        return SystemCommand.tried(Path.of("."), command(List.of("nice")).toArray(String[]::new))
                .filter(said -> this != RAISED || "-10".equals(said))
                .isPresent();
    }

    /** Returns a command whose process has this priority. */
    public List<String> command(List<String> words) {
        Stream<String> before = prefix.isEmpty() ? Stream.empty() : Stream.of(prefix.split(" ", -1));
        return Stream.concat(before, words.stream()).toList();
    }

    /** Returns it for a result: the command that sets it; null for {@link #USUAL}. */
    public @Nullable String text() {
        return prefix.isEmpty() ? null : prefix;
    }
}
