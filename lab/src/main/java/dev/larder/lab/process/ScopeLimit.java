package dev.larder.lab.process;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A limit held by a transient scope of the user's systemd; the scope goes when its process goes. */
public final class ScopeLimit implements MemoryLimit {

    private final long bytes;
    private @Nullable ControlGroup group;

    private ScopeLimit(long bytes) {
        this.bytes = bytes;
    }

    /** Tries a scope with the command {@code true}; empty, with the reason added, when systemd refuses. */
    public static Optional<MemoryLimit> create(long bytes, List<String> tried) {
        ScopeLimit limit = new ScopeLimit(bytes);
        try {
            GroupLimit.probe(limit.wrap(List.of("true")));
            return Optional.of(limit);
        } catch (IOException e) {
            tried.add("systemd-run --user --scope: " + e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public Long bytes() {
        return bytes;
    }

    @Override
    public List<String> wrap(List<String> command) {
        return MemoryLimit.before(
                command,
                "systemd-run",
                "--user",
                "--scope",
                "--quiet",
                "-p",
                "MemoryMax=" + bytes,
                "-p",
                "MemorySwapMax=0",
                "--");
    }

    /** {@inheritDoc} A scope that came without its limit (memory not delegated to the user) is refused here. */
    @Override
    public void joined(long processId) {
        group = ControlGroupMount.find(Path.of("/proc", Long.toString(processId)))
                .map(mount -> new ControlGroup(mount.version(), mount.own()))
                .filter(found -> Files.isReadable(found.processes()))
                .orElse(null);
        Long holds = group == null ? null : group.limitBytes();
        if (holds == null || holds > bytes) {
            throw new LabException("systemd-run gave a scope without the limit of " + ByteSize.format(bytes)
                    + " (memory is not delegated to the user's session); use --memory-limit none or run as root");
        }
    }

    @Override
    public Optional<ControlGroup> group() {
        return Optional.ofNullable(group);
    }

    @Override
    public String description() {
        return "systemd scope of " + ByteSize.format(bytes);
    }

    @Override
    public void close() {}
}
