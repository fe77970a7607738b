package dev.larder.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes files that are left on the disk, in a JVM that may take next to nothing outside the heap. */
public final class WindowChild {

    private static final int LENGTH = 1_000_000;

    private WindowChild() {}

    /** Argument: a folder. */
    public static void main(String[] arguments) throws IOException {
        DirectoryOptions options = DirectoryOptions.defaults().withBudget(MemoryBudget.of(0));
        try (LarderDirectory directory = LarderDirectory.open(Path.of(arguments[0]), options)) {
            Contents.write(directory, "file", 1, LENGTH);
            directory.sync(List.of("file"));
            Contents.check(directory, "file", 1, LENGTH);
        }
        System.out.println("written");
    }
}
