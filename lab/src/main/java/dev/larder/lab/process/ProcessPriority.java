package dev.larder.lab.process;

import dev.larder.lab.machine.SystemCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When a process of this host gets a processor that others want too. */
public enum ProcessPriority {
    /** As any other. */
    USUAL(""),

    /**
     * Before others. A thread that wakes may still wait until the kernel's next tick, for 4 ms. Where the kernel groups processes
     * by session (autogroup) it goes before those of its own session.
     */
    RAISED("nice -n -10"),

    /**
     * At once. The kernel stops who keeps a processor for 0.95 s of a second, so this is for a process that works little.
     */
    REAL_TIME("chrt --rr 1");

    private final String prefix;

    ProcessPriority(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Returns this one, or the next lower one that a process may have here. Those above {@link #USUAL} take the right to raise a
     * priority (root, or {@code CAP_SYS_NICE}), and a program of the system.
     */
    public ProcessPriority possible() {
        return switch (this) {
            case REAL_TIME -> isPossible() ? this : RAISED.possible();
            case RAISED -> isPossible() ? this : USUAL;
            case USUAL -> this;
        };
    }

    /** Runs {@code nice} that way, which prints what it got: without the right to more it goes on with less. */
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

    /** Returns it as a result states it: the command that gives it; null for {@link #USUAL}. */
    public @Nullable String text() {
        return prefix.isEmpty() ? null : prefix;
    }
}
