package dev.larder.lab.machine;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The itemized sum of what a run needs on the disk, or in memory, at one time. */
public final class Budget {

    private record Item(String what, long bytes) {}

    private final List<Item> items = new ArrayList<>();

    /** An empty budget. */
    public Budget() {}

    /** Adds an item, unless it has no bytes. */
    public Budget add(String what, long bytes) {
        if (bytes > 0) {
            items.add(new Item(what, bytes));
        }
        return this;
    }

    /** Returns the sum. */
    public long totalBytes() {
        return items.stream().mapToLong(Item::bytes).sum();
    }

    /**
     * Compares the budget with the room on the file system of a directory.
     *
     * @throws LabException with the whole sum if the room is too small
     */
    public void check(Path directory) {
        check(directory, usableBytes(directory));
    }

    /** As above, with a given room. */
    public void check(Path directory, long usable) {
        if (usable < totalBytes()) {
            throw new LabException("too little room on the disk of " + directory + ": this run needs "
                    + ByteSize.format(totalBytes()) + " = " + this + "; free: " + ByteSize.format(usable)
                    + ". Ask for less, or name a --directory on another disk");
        }
    }

    private static long usableBytes(Path directory) {
        return Attempt.giving(
                "read the free space of " + directory,
                () -> Files.getFileStore(directory).getUsableSpace());
    }

    /**
     * Compares the budget with the memory of this machine or container, and with the part available now.
     *
     * @param what needs it
     * @param remedy what can be done
     * @throws LabException with the whole sum if there is too little
     */
    public void check(String what, String remedy) {
        check(what, remedy, Machine.memoryBytes(), Machine.availableBytes());
    }

    /** As above, with a given memory. */
    public void check(String what, String remedy, long memoryBytes, @Nullable Long availableBytes) {
        long room = availableBytes == null ? memoryBytes : Math.min(memoryBytes, availableBytes);
        if (room < totalBytes()) {
            throw new LabException("too little memory for " + what + ": it needs " + ByteSize.format(totalBytes())
                    + " = " + this + "; the machine has " + ByteSize.format(memoryBytes)
                    + (room < memoryBytes ? ", and " + ByteSize.format(room) + " of them are available now" : "") + ". "
                    + remedy);
        }
    }

    /** Returns the sum for people: {@code 16.1 GiB queue + 2 GiB warm-up}. */
    @Override
    public String toString() {
        return items.stream()
                .map(item -> ByteSize.format(item.bytes) + " " + item.what)
                .collect(Collectors.joining(" + "));
    }
}
