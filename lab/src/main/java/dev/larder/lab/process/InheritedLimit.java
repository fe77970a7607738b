package dev.larder.lab.process;

import dev.larder.cli.ByteSize;
import dev.larder.lab.machine.Machine;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The limit that this process itself lives under, such as a container's; or none. */
public final class InheritedLimit implements MemoryLimit {

    private final @Nullable Long bytes;
    private final Optional<ControlGroup> group;

    public InheritedLimit(@Nullable Long bytes, Optional<ControlGroup> group) {
        this.bytes = bytes;
        this.group = group;
    }

    /** Returns our own limit when it is below the machine's memory; empty, with the reason added, otherwise. */
    public static Optional<MemoryLimit> smallerThanMachine(Optional<ControlGroupMount> mount, List<String> tried) {
        Optional<ControlGroup> own = mount.map(found -> new ControlGroup(found.version(), found.own()));
        Long limit = own.map(ControlGroup::limitBytes).orElse(null);
        if (limit == null || limit >= Machine.memoryBytes()) {
            tried.add("this process lives under no limit of its own");
            return Optional.empty();
        }
        return Optional.of(new InheritedLimit(limit, own));
    }

    @Override
    public @Nullable Long bytes() {
        return bytes;
    }

    @Override
    public List<String> wrap(List<String> command) {
        return command;
    }

    @Override
    public void joined(long processId) {}

    @Override
    public Optional<ControlGroup> group() {
        return group;
    }

    @Override
    public String description() {
        return bytes == null ? "no memory limit" : "the container's own limit of " + ByteSize.format(bytes);
    }

    @Override
    public void close() {}
}
