package dev.larder.lab.machine;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The sum of what a run will have on the disk at one time, item by item. */
public final class DiskBudget {

    private record Item(String what, long bytes) {}

    private final List<Item> items = new ArrayList<>();

    /** An empty budget. */
    public DiskBudget() {}

    public DiskBudget add(String what, long bytes) {
        if (bytes > 0) {
            items.add(new Item(what, bytes));
        }
        return this;
    }

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

    public void check(Path directory, long usable) {
        if (usable < totalBytes()) {
            throw new LabException("too little room on the disk of " + directory + ": this run needs "
                    + ByteSize.format(totalBytes()) + " = " + this + "; free are " + ByteSize.format(usable)
                    + ". Ask for less, or name a --directory on another disk");
        }
    }

    private static long usableBytes(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            throw new LabException("cannot see how much room there is at " + directory + ": " + e.getMessage(), e);
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
