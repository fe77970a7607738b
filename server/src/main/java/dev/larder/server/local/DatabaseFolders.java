package dev.larder.server.local;

import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which folder holds which database: that of its number, until {@code SWAPDB} has exchanged two. The file is replaced as a
 * whole and synced, so that a crash leaves the order before or the one after.
 *
 * <pre>
 * DIRECTORY/databases     a line for each database that lies elsewhere: number, blank, folder
 * </pre>
 */
final class DatabaseFolders {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final String NAME = "databases";

    private final Path directory;
    private final Map<Integer, Integer> moved = new TreeMap<>();

    private DatabaseFolders(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads the file, if there is one.
     *
     * @throws CorruptException if it does not say of each folder which database it holds
     */
    static DatabaseFolders open(Path directory) {
        DatabaseFolders folders = new DatabaseFolders(directory);
        Path file = directory.resolve(NAME);
        if (Files.exists(file)) {
            folders.read(file);
        }
        return folders;
    }

    private void read(Path file) {
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                if (!line.matches("\\d{1,4} \\d{1,4}")) {
                    throw new CorruptException(file + ": the line \"" + line + "\" is not a database and a folder");
                }
                int blank = line.indexOf(' ');
                moved.put(Integer.parseInt(line.substring(0, blank)), Integer.parseInt(line.substring(blank + 1)));
            }
        } catch (IOException e) {
            throw new StorageException("cannot read " + file + ": " + e.getMessage(), e);
        }
        Set<Integer> folders = new HashSet<>(moved.values());
        if (!folders.equals(moved.keySet())) {
            throw new CorruptException(file + ": the databases " + moved.keySet() + " lie in the folders " + folders
                    + "; they must be the same numbers");
        }
    }

    /** Returns the folder of a database. */
    Path of(int database) {
        return directory.resolve(Integer.toString(number(database)));
    }

    private int number(int database) {
        return moved.getOrDefault(database, database);
    }

    /**
     * Exchanges the folders of two databases; durable when this returns, but for what is logged.
     *
     * @throws StorageException if the file cannot be written; then nothing has changed
     */
    void swap(int one, int other) {
        Map<Integer, Integer> after = new TreeMap<>(moved);
        after.put(one, number(other));
        after.put(other, number(one));
        after.entrySet().removeIf(entry -> entry.getKey().equals(entry.getValue()));
        write(after);
        moved.clear();
        moved.putAll(after);
    }

    private void write(Map<Integer, Integer> after) {
        StringBuilder text = new StringBuilder();
        after.forEach((database, folder) ->
                text.append(database).append(' ').append(folder).append('\n'));
        Path file = directory.resolve(NAME);
        Path next = directory.resolve(NAME + ".next");
        try {
            Files.writeString(
                    next,
                    text,
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.SYNC);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new StorageException("cannot write " + file + ": " + e.getMessage(), e);
        }
        syncDirectory(file);
    }

    private void syncDirectory(Path file) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) { // the new file counts already
            LOGGER.log(System.Logger.Level.WARNING, "a power cut may undo the last change of " + file + ": " + e, e);
        }
    }
}
