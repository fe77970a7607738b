package dev.larder.lab.search;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/**
 * A server's own files of an index: second names of the same files, or copies.
 *
 * <p>Lucene never changes a written file, and deletes a name when it no longer needs the file. So servers can share the
 * files, and all start from the same bytes at the same places of the disk and of the page cache. Under a memory limit a
 * server makes copies itself, so that their pages count for its group.
 */
final class ServedFiles {

    private ServedFiles() {}

    /** Fills a new directory, and returns {@code links} or {@code copies}. */
    static String fill(Path directory, Path base, boolean copy) throws IOException {
        Files.createDirectories(directory);
        boolean linked = !copy;
        for (Path file : files(base)) {
            linked = linked && link(directory.resolve(file.getFileName()), file);
            if (!linked) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
        return linked ? "links" : "copies";
    }

    private static List<Path> files(Path base) throws IOException {
        try (Stream<Path> files = Files.list(base)) {
            return files.filter(file -> !file.endsWith(IndexWriter.WRITE_LOCK_NAME))
                    .sorted()
                    .toList();
        }
    }

    /** Some file systems have no links. */
    private static boolean link(Path name, Path file) throws IOException {
        try {
            Files.createLink(name, file);
            return true;
        } catch (UnsupportedOperationException | FileSystemException e) {
            return false;
        }
    }
}
