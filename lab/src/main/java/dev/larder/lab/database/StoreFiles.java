package dev.larder.lab.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The files of a store that keeps to one directory. */
public final class StoreFiles {

    private StoreFiles() {}

    /** Returns the sum of their sizes. */
    public static long bytes(Path directory) throws IOException {
        long bytes = 0;
        for (Path file : list(directory)) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /** Makes them durable, their names included, for a store that has no command for it. */
    public static void force(Path directory) throws IOException {
        for (Path file : list(directory)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
