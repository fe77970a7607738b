package dev.larder.lab.process;

import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.result.Attempt;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A garbage collector of the JVM, in its default mode. */
public enum Collector {
    /** Stops all threads for all of its work, on one thread: the shortest pauses of a small heap. */
    SERIAL("Serial", "UseSerialGC"),
    /** Stops all threads for all its work. */
    PARALLEL("Parallel", "UseParallelGC"),
    /** Stops all threads for parts of its work, with a goal of 200 ms; the JVM's default. */
    G1("G1", "UseG1GC"),
    /** Works beside the program, in generations. */
    ZGC("ZGC", "UseZGC"),
    /** Works beside the program; its default mode has no generations. */
    SHENANDOAH("Shenandoah", "UseShenandoahGC");

    private static final long SMALL_HEAP_BYTES = 64L << 20;

    private final String title;
    private final String option;

    Collector(String title, String option) {
        this.title = title;
        this.option = option;
    }

    /** Returns the collector of a name, ignoring case. */
    public static Collector named(String name) {
        try {
            return valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("no collector '" + name + "'; there are: " + List.of(values()), e);
        }
    }

    /** Returns its name for people. */
    public String title() {
        return title;
    }

    /** Returns the flag that chooses it. */
    public String flag() {
        return "-XX:+" + option;
    }

    /** Returns whether it reports threads that wait for memory during its concurrent work. */
    public boolean tellsStalls() {
        return this == ZGC;
    }

    /** Returns why this JVM lacks it, in the JVM's own words; null if it has it. */
    public @Nullable String missingReason() {
        List<String> command = JavaProcess.start(SMALL_HEAP_BYTES);
        command.addAll(List.of(flag(), "-version"));
        SystemCommand started = Attempt.giving("start " + command.getFirst(), () -> SystemCommand.run(command));
        return started.code() == 0 ? null : started.said().replaceAll("\\R", "; ");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
