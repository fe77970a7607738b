package dev.larder.lab.process;

import dev.larder.cli.ByteSize;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the memory of a child process and of the file pages that it brings in.
 *
 * <p>In the order tried: a memory control group of our own (version 1 or 2), a transient scope of the user's systemd,
 * the limit that this process lives under already (a container's).
 */
public interface MemoryLimit extends AutoCloseable {

    /** The bound in bytes; null when there is none. */
    @Nullable
    Long bytes();

    /** Returns the command that runs {@code command} under this limit from its first page on. */
    List<String> wrap(List<String> command);

    /** Tells which process runs under this limit, so that its use can be read. */
    void joined(long processId);

    /** Returns the group whose use is read; empty where there is no limit. */
    Optional<ControlGroup> group();

    /** How the limit is held, for people. */
    String description();

    @Override
    void close();

    /** Returns a command behind the words that start it. */
    static List<String> before(List<String> command, String... start) {
        return Stream.concat(Stream.of(start), command.stream()).toList();
    }

    /** No limit. */
    static MemoryLimit none() {
        return new InheritedLimit(null, Optional.empty());
    }

    /**
     * Finds a way to hold a limit on this machine; no limit for null.
     *
     * @throws LabException with every way that was tried and why it failed, and what can be done instead
     */
    static MemoryLimit of(@Nullable Long bytes) {
        return bytes == null ? none() : find(bytes, Path.of("/proc/self"));
    }

    /** As {@link #of}, with another place for {@code /proc/self}. */
    static MemoryLimit find(long bytes, Path processFiles) {
        List<String> tried = new ArrayList<>();
        Optional<ControlGroupMount> mount = ControlGroupMount.find(processFiles);
        return GroupLimit.create(mount, bytes, tried)
                .or(() -> ScopeLimit.create(bytes, tried))
                .or(() -> InheritedLimit.smallerThanMachine(mount, tried))
                .orElseThrow(() -> refusal(bytes, tried));
    }

    /** The error of a machine on which no way works. */
    static LabException refusal(long bytes, List<String> tried) {
        long machine = Machine.memoryBytes();
        long total = 16 * machine;
        double hours = total / (double) (1L << 30) * 2.5 / 3600;
        return new LabException("cannot hold a child process under " + ByteSize.format(bytes) + " here: "
                + String.join("; ", tried)
                + ". Run as root, or where systemd gives you a user session, or in a container"
                + " with a memory limit; or use the machine's own memory: --memory-limit none --total "
                + ByteSize.format(total).replace(" ", "") + " (16 x " + ByteSize.format(machine) + "; needs about "
                + ByteSize.format(total + total / 16) + " of disk and, at 2.5 s per GiB, "
                + String.format(Locale.ROOT, "%.1f", hours) + " hours)");
    }
}
