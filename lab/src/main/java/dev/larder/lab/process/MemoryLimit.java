package dev.larder.lab.process;

import dev.larder.cli.ByteSize;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Rows;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the memory of a child process and of the file pages that it loads.
 *
 * <p>The ways, in order: a new memory control group (version 1 or 2), a transient scope of the user's systemd, the
 * existing limit of this process (a container's).
 */
public final class MemoryLimit implements AutoCloseable {

    private static final String PREFIX = "larder-lab-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-\\d+");
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Path SELF = Path.of("/proc/self");

    private final @Nullable Long bytes;
    private final String description;
    private final List<String> before;
    private final Way way;
    private @Nullable ControlGroup group;

    private enum Way {
        GROUP,
        SCOPE,
        INHERITED
    }

    private MemoryLimit(
            @Nullable Long bytes, String description, List<String> before, Way way, @Nullable ControlGroup group) {
        this.bytes = bytes;
        this.description = description;
        this.before = before;
        this.way = way;
        this.group = group;
    }

    /** No limit. */
    public static MemoryLimit none() {
        return new MemoryLimit(null, "no memory limit", List.of(), Way.INHERITED, null);
    }

    /**
     * Finds a way to enforce a limit on this machine; no limit for null.
     *
     * @throws LabException with every way tried, why it failed, and what to do instead
     */
    public static MemoryLimit of(@Nullable Long bytes) {
        if (bytes == null) {
            return none();
        }
        List<String> tried = new ArrayList<>();
        Optional<ControlGroupMount> mount = ControlGroupMount.find(SELF);
        return ofGroup(mount, bytes, tried)
                .or(() -> ofScope(bytes, tried))
                .or(() -> inherited(mount, tried))
                .orElseThrow(() -> refusal(bytes, tried));
    }

    /** Returns a limit that several processes can share; empty, with the reasons added, if none is possible. */
    public static Optional<MemoryLimit> shared(long bytes, List<String> tried) {
        return ofGroup(ControlGroupMount.find(SELF), bytes, tried);
    }

    /** Creates a group below the own one, or as near above it as possible; empty, with reasons added, if none is. */
    static Optional<MemoryLimit> ofGroup(Optional<ControlGroupMount> mount, long bytes, List<String> tried) {
        if (mount.isEmpty()) {
            tried.add("no memory control group hierarchy is mounted");
            return Optional.empty();
        }
        Path top = mount.get().top();
        for (Path parent = mount.get().own(); parent != null && parent.startsWith(top); parent = parent.getParent()) {
            try {
                return Optional.of(ofGroup(mount.get().version(), parent, bytes));
            } catch (IOException e) {
                String reason = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
                tried.add("no control group in " + parent + " (" + reason + ")");
            }
        }
        return Optional.empty();
    }

    /**
     * The child is a shell that writes its own id to the group and then becomes the command, so that every page of the
     * command is charged to it.
     */
    private static MemoryLimit ofGroup(int version, Path parent, long bytes) throws IOException {
        if (version == 2) {
            delegateMemory(parent);
        }
        removeLeftovers(version, parent);
        Path directory = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
        ControlGroup group = new ControlGroup(version, Files.createDirectory(directory));
        try {
            group.limit(bytes);
            Long holds = group.limitBytes();
            if (holds == null) {
                throw new IOException("the limit was not accepted");
            }
            String join = "echo $$ > \"$0\" && exec \"$@\"";
            MemoryLimit limit = new MemoryLimit(
                    holds,
                    "memory control group (version " + version + ") of " + ByteSize.format(holds),
                    List.of("/bin/sh", "-c", join, group.processes().toString()),
                    Way.GROUP,
                    group);
            limit.probe();
            return limit;
        } catch (IOException e) {
            group.remove();
            throw e;
        }
    }

    /** In version 2, a group has memory files only if the group above enables them. */
    private static void delegateMemory(Path parent) throws IOException {
        Path control = parent.resolve("cgroup.subtree_control");
        if (!List.of(Files.readString(control).strip().split(" ", -1)).contains("memory")) {
            Files.writeString(control, "+memory");
        }
    }

    /** A killed run leaves its empty group; the next run removes it. */
    private static void removeLeftovers(int version, Path parent) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            for (Path child : children.toList()) {
                Matcher name = NAME.matcher(child.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()) {
                    removeQuietly(new ControlGroup(version, child));
                }
            }
        }
    }

    /** Tries a scope, which ends with its process; empty, with the reason added, if systemd refuses. */
    private static Optional<MemoryLimit> ofScope(long bytes, List<String> tried) {
        String start = "systemd-run --user --scope --quiet -p MemoryMax=" + bytes + " -p MemorySwapMax=0 --";
        MemoryLimit limit = new MemoryLimit(
                bytes, "systemd scope of " + ByteSize.format(bytes), Rows.names(start), Way.SCOPE, null);
        try {
            limit.probe();
            return Optional.of(limit);
        } catch (IOException e) {
            tried.add("systemd-run --user --scope: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns this process's limit if it is below the machine's memory; else empty, with the reason added. */
    private static Optional<MemoryLimit> inherited(Optional<ControlGroupMount> mount, List<String> tried) {
        ControlGroup own = mount.map(found -> new ControlGroup(found.version(), found.own()))
                .orElse(null);
        Long limit = own == null ? null : own.limitBytes();
        if (limit == null || limit >= Machine.memoryBytes()) {
            tried.add("this process has no memory limit");
            return Optional.empty();
        }
        String description = "the container's own limit of " + ByteSize.format(limit);
        return Optional.of(new MemoryLimit(limit, description, List.of(), Way.INHERITED, own));
    }

    /** Returns the error for a machine without any way. */
    static LabException refusal(long bytes, List<String> tried) {
        long machine = Machine.memoryBytes();
        long total = 16 * machine;
        double hours = total / (double) (1L << 30) * 2.5 / 3600;
        return new LabException("cannot limit the memory of a child process to " + ByteSize.format(bytes) + " here: "
                + String.join("; ", tried)
                + ". Run as root, or where systemd gives you a user session, or in a container"
                + " with a memory limit; or use the machine's own memory: --memory-limit none --total "
                + ByteSize.format(total).replace(" ", "") + " (16 x " + ByteSize.format(machine) + "; needs about "
                + ByteSize.format(total + total / 16) + " of disk and, at 2.5 s per GiB, "
                + String.format(Locale.ROOT, "%.1f", hours) + " hours)");
    }

    private void probe() throws IOException {
        try {
            SystemCommand tried = SystemCommand.run(wrap(List.of("true")));
            if (tried.code() != 0) {
                throw new IOException(tried.said().lines().findFirst().orElse("exit code " + tried.code()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns the bound in bytes; null if there is none. */
    public @Nullable Long bytes() {
        return bytes;
    }

    /** Describes the way of the limit, for people. */
    public String description() {
        return description;
    }

    /** Returns the group to read the use of; empty without a limit. */
    public Optional<ControlGroup> group() {
        return Optional.ofNullable(group);
    }

    /** Returns the command that runs {@code command} under this limit from its first page on. */
    List<String> wrap(List<String> command) {
        return Stream.concat(before.stream(), command.stream()).toList();
    }

    /**
     * Names the process under this limit, so that its use can be read. Refuses a scope without the limit (if memory is not
     * delegated to the user).
     */
    void joined(long processId) {
        if (way != Way.SCOPE || bytes == null) {
            return;
        }
        ControlGroup scope = ControlGroupMount.find(Path.of("/proc", Long.toString(processId)))
                .map(mount -> new ControlGroup(mount.version(), mount.own()))
                .filter(found -> Files.isReadable(found.processes()))
                .orElse(null);
        Long holds = scope == null ? null : scope.limitBytes();
        if (holds == null || holds > bytes) {
            throw new LabException("systemd-run gave a scope without the limit of " + ByteSize.format(bytes)
                    + " (memory is not delegated to the user's session); use --memory-limit none or run as root");
        }
        group = scope;
    }

    @Override
    public void close() {
        if (way == Way.GROUP && group != null) {
            removeQuietly(group);
        }
    }

    private static void removeQuietly(ControlGroup group) {
        try {
            group.remove();
        } catch (IOException e) {
            // Still in use, or foreign: the next run tries again.
        }
    }
}
