package dev.larder.lab.database;

import dev.larder.cli.LiveFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The files of a store with a single directory. */
public final class StoreFiles {

    private StoreFiles() {}

    /** Returns the sum of their sizes. */
    public static long bytes(Path directory) throws IOException {
        return LiveFiles.bytes(directory);
    }

    /** Makes them and their names durable, for a store without a command for it. */
    public static void force(Path directory) throws IOException {
        for (Path file : LiveFiles.sizes(directory, Integer.MAX_VALUE).keySet()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
