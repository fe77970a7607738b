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

/** The sum of what a run will have on the disk, or in memory, at one time, item by item. */
public final class Budget {

    private record Item(String what, long bytes) {}

    private final List<Item> items = new ArrayList<>();

    /** An empty budget. */
    public Budget() {}

    /** Adds an item; one of no bytes is left out. */
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
     * @throws LabException with the whole sum when there is too little
     */
    public void check(Path directory) {
        check(directory, usableBytes(directory));
    }

    /** As above, with a room of the caller's. */
    public void check(Path directory, long usable) {
        if (usable < totalBytes()) {
            throw new LabException("too little room on the disk of " + directory + ": this run needs "
                    + ByteSize.format(totalBytes()) + " = " + this + "; free are " + ByteSize.format(usable)
                    + ". Ask for less, or name a --directory on another disk");
        }
    }

    private static long usableBytes(Path directory) {
        return Attempt.giving(
                "see how much room there is at " + directory,
                () -> Files.getFileStore(directory).getUsableSpace());
    }

    /**
     * Compares the budget with the memory of this machine or container, and with what is available of it now.
     *
     * @param what needs it
     * @param remedy what can be done
     * @throws LabException with the whole sum when there is too little
     */
    public void check(String what, String remedy) {
        check(what, remedy, Machine.memoryBytes(), Machine.availableBytes());
    }

    /** As above, with a memory of the caller's. */
    public void check(String what, String remedy, long memoryBytes, @Nullable Long availableBytes) {
        long room = availableBytes == null ? memoryBytes : Math.min(memoryBytes, availableBytes);
        if (room < totalBytes()) {
            throw new LabException("too little memory for " + what + ": it needs " + ByteSize.format(totalBytes())
                    + " = " + this + "; there are " + ByteSize.format(memoryBytes)
                    + (room < memoryBytes ? ", and " + ByteSize.format(room) + " of them are available now" : "") + ". "
                    + remedy);
        }
    }

    /** The sum as people write it: {@code 16.1 GiB queue + 2 GiB warm-up}. */
    @Override
    public String toString() {
        return items.stream()
                .map(item -> ByteSize.format(item.bytes) + " " + item.what)
                .collect(Collectors.joining(" + "));
    }
}
