package dev.larder.lab.process;

import dev.larder.cli.ByteSize;
import dev.larder.lab.machine.SystemCommand;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A limit held by a memory control group of our own.
 *
 * <p>The child is a shell that writes its own id to the group and then becomes the command, so that no page of the
 * command is ever charged elsewhere.
 */
public final class GroupLimit implements MemoryLimit {

    private static final String PREFIX = "larder-lab-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-\\d+");
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ControlGroup group;
    private final long bytes;

    private GroupLimit(ControlGroup group, long bytes) {
        this.group = group;
        this.bytes = bytes;
    }

    /** Makes a group below ours, or as near above it as may be; empty, with the reasons added, when none can be. */
    public static Optional<MemoryLimit> create(Optional<ControlGroupMount> mount, long bytes, List<String> tried) {
        if (mount.isEmpty()) {
            tried.add("no memory control group hierarchy is mounted");
            return Optional.empty();
        }
        for (Path parent : parents(mount.get())) {
            try {
                return Optional.of(make(mount.get().version(), parent, bytes));
            } catch (IOException e) {
                tried.add("no control group in " + parent + " (" + reason(e) + ")");
            }
        }
        return Optional.empty();
    }

    private static List<Path> parents(ControlGroupMount mount) {
        List<Path> parents = new ArrayList<>();
        for (Path path = mount.own(); path != null && path.startsWith(mount.top()); path = path.getParent()) {
            parents.add(path);
        }
        return parents;
    }

    private static MemoryLimit make(int version, Path parent, long bytes) throws IOException {
        if (version == 2) {
            delegateMemory(parent);
        }
        removeLeftovers(version, parent);
        Path directory = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
        Files.createDirectory(directory);
        ControlGroup group = new ControlGroup(version, directory);
        try {
            group.limit(bytes);
            Long holds = group.limitBytes();
            if (holds == null) {
                throw new IOException("the limit was not accepted");
            }
            GroupLimit limit = new GroupLimit(group, holds);
            probe(limit.wrap(List.of("true")));
            return limit;
        } catch (IOException e) {
            group.remove();
            throw e;
        }
    }

    /** Version 2 gives a group its memory files only if the group above says so. */
    private static void delegateMemory(Path parent) throws IOException {
        Path control = parent.resolve("cgroup.subtree_control");
        if (!List.of(Files.readString(control).strip().split(" ", -1)).contains("memory")) {
            Files.writeString(control, "+memory");
        }
    }

    /** A run that was killed leaves its empty group; whoever comes next removes it. */
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

    public static void probe(List<String> command) throws IOException {
        try {
            SystemCommand tried = SystemCommand.run(command);
            if (tried.code() != 0) {
                throw new IOException(tried.said().lines().findFirst().orElse("exit code " + tried.code()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String reason(IOException e) {
        String text = String.valueOf(e.getMessage());
        return e instanceof AccessDeniedException ? "permission denied" : text;
    }

    @Override
    public Long bytes() {
        return bytes;
    }

    @Override
    public List<String> wrap(List<String> command) {
        String join = "echo $$ > \"$0\" && exec \"$@\"";
        return MemoryLimit.before(
                command, "/bin/sh", "-c", join, group.processes().toString());
    }

    @Override
    public void joined(long processId) {}

    @Override
    public Optional<ControlGroup> group() {
        return Optional.of(group);
    }

    @Override
    public String description() {
        return "memory control group (version " + group.version() + ") of " + ByteSize.format(bytes);
    }

    @Override
    public void close() {
        removeQuietly(group);
    }

    private static void removeQuietly(ControlGroup group) {
        try {
            group.remove();
        } catch (IOException e) {
            // Still in use, or not ours: the next run tries again.
        }
    }
}
