package dev.larder.array.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes a file, or the names in a folder, durable. Tests take its place to see what is synced, and when. */
@FunctionalInterface
interface DiskSync {

    /** The sync of the system. */
    DiskSync SYSTEM = path -> {
        StandardOpenOption access = Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
        try (FileChannel channel = FileChannel.open(path, access)) {
            channel.force(true);
        }
    };

    void sync(Path path) throws IOException;
}
