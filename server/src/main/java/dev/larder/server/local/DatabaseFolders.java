package dev.larder.server.local;

import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Maps databases to folders. A database is in the folder of its number, until {@code SWAPDB} exchanges two. The file is
 * replaced as a whole, so a crash leaves the old order or the new one.
 *
 * <pre>
 * DIRECTORY/databases         a line for each database that lies elsewhere: number, blank, folder
 * DIRECTORY/databases.next7   the file of the next exchange, written and synced before
 * </pre>
 *
 * <p>Thread-safe, except for two exchanges at once.
 */
final class DatabaseFolders {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final String NAME = "databases";

    private static final String NEXT = NAME + ".next";

    /** A file that is written and synced, with the orders before and after its exchange. */
    private record Next(Path file, Map<Integer, Integer> before, Map<Integer, Integer> after) {

        boolean isFor(Map<Integer, Integer> now, Map<Integer, Integer> then) {
            return before.equals(now) && after.equals(then);
        }
    }

    private final Path directory;
    private final AtomicReference<@Nullable Next> ready = new AtomicReference<>();
    private final AtomicLong written = new AtomicLong();
    private final Object syncing = new Object();
    private volatile Map<Integer, Integer> moved = Map.of();
    private volatile boolean dirty;

    private DatabaseFolders(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads the file, if there is one.
     *
     * @throws CorruptException if it does not say which database each folder holds
     */
    static DatabaseFolders open(Path directory) {
        DatabaseFolders folders = new DatabaseFolders(directory);
        folders.removeUnused();
        Path file = directory.resolve(NAME);
        if (Files.exists(file)) {
            folders.read(file);
        }
        return folders;
    }

    private void removeUnused() {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, NEXT + "*")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) { // they do no harm
            LOGGER.log(System.Logger.Level.WARNING, "cannot remove files of " + directory + ": " + e, e);
        }
    }

    private void read(Path file) {
        Map<Integer, Integer> read = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                if (!line.matches("\\d{1,4} \\d{1,4}")) {
                    throw new CorruptException(file + ": the line \"" + line + "\" is not a database and a folder");
                }
                int blank = line.indexOf(' ');
                read.put(Integer.parseInt(line.substring(0, blank)), Integer.parseInt(line.substring(blank + 1)));
            }
        } catch (IOException e) {
            throw new StorageException("cannot read " + file + ": " + e.getMessage(), e);
        }
        Set<Integer> folders = new HashSet<>(read.values());
        if (!folders.equals(read.keySet())) {
            throw new CorruptException(file + ": the databases " + read.keySet() + " are in the folders " + folders
                    + ", expected folders of the same numbers");
        }
        moved = read;
    }

    /** Returns the folder of a database. */
    Path of(int database) {
        return directory.resolve(Integer.toString(moved.getOrDefault(database, database)));
    }

    /** Returns whether an exchange only has to rename a file. */
    boolean isReady(int one, int other) {
        Map<Integer, Integer> before = moved;
        Next next = ready.get();
        return next != null && next.isFor(before, exchanged(before, one, other));
    }

    /**
     * Writes the file of an exchange, in a thread that may wait for the disk.
     *
     * @throws StorageException if it cannot be written
     */
    void makeReady(int one, int other) {
        Map<Integer, Integer> before = moved;
        Next unused = ready.getAndSet(write(before, exchanged(before, one, other)));
        if (unused != null) {
            remove(unused);
        }
    }

    private static Map<Integer, Integer> exchanged(Map<Integer, Integer> before, int one, int other) {
        Map<Integer, Integer> after = new TreeMap<>(before);
        after.put(one, before.getOrDefault(other, other));
        after.put(other, before.getOrDefault(one, one));
        after.entrySet().removeIf(entry -> entry.getKey().equals(entry.getValue()));
        return after;
    }

    /**
     * Exchanges the folders of two databases; durable with the next {@link #sync}.
     *
     * @throws StorageException if the file cannot be written; then nothing has changed
     */
    void swap(int one, int other) {
        Map<Integer, Integer> before = moved;
        Map<Integer, Integer> after = exchanged(before, one, other);
        Next there = ready.getAndSet(null);
        Next next = there != null && there.isFor(before, after) ? there : write(before, after);
        if (there != null && !there.equals(next)) {
            remove(there);
        }
        Path file = directory.resolve(NAME);
        try {
            Files.move(next.file, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new StorageException("cannot write " + file + ": " + e.getMessage(), e);
        }
        moved = after;
        dirty = true;
    }

    private Next write(Map<Integer, Integer> before, Map<Integer, Integer> after) {
        StringBuilder text = new StringBuilder();
        after.forEach((database, folder) ->
                text.append(database).append(' ').append(folder).append('\n'));
        Path file = directory.resolve(NEXT + written.incrementAndGet());
        try {
            Files.writeString(
                    file,
                    text,
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.SYNC);
        } catch (IOException e) {
            throw new StorageException("cannot write " + file + ": " + e.getMessage(), e);
        }
        return new Next(file, before, after);
    }

    private static void remove(Next unused) {
        try {
            Files.deleteIfExists(unused.file);
        } catch (IOException e) { // the next start removes it
            LOGGER.log(System.Logger.Level.WARNING, "cannot remove " + unused.file + ": " + e, e);
        }
    }

    /** Makes the exchanges before the call durable, unless it logs a failure. */
    void sync() {
        synchronized (syncing) {
            if (dirty) {
                dirty = false; // before the sync, so that an exchange meanwhile counts for the next one
                syncDirectory();
            }
        }
    }

    private void syncDirectory() {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) { // the new file counts already
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a power cut may undo the last exchange of databases in " + directory + ": " + e,
                    e);
        }
    }
}
