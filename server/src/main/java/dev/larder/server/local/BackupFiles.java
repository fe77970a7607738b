package dev.larder.server.local;

import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The folder of a backup: a data folder, and the list of its files, which is written last.
 *
 * <pre>
 * TO/0/strings/0000000000.seg ...
 * TO/backup      larder backup 1
 *                1f3a9c02 2097152 0/strings/0000000000.seg       CRC-32C, bytes, name
 *                ...
 *                end 17 8be20a11                                  how many files, CRC-32C of the lines above
 * </pre>
 *
 * While it is made, the folder has the suffix {@code .making}.
 */
public final class BackupFiles {

    private static final String LIST = "backup";
    private static final String TITLE = "larder backup 1";
    private static final String MAKING = ".making";
    private static final int AT_ONCE_BYTES = 1 << 20;

    /** A file of a backup. */
    private record Entry(String name, long sizeBytes, int check) {

        String line() {
            return HexFormat.of().toHexDigits(check) + " " + sizeBytes + " " + name;
        }
    }

    private final Path to;
    private final Path making;

    /** Where the files are: they are moved at the end. */
    private Path place;

    private BackupFiles(Path to, Path making) {
        this.to = to;
        this.making = making;
        this.place = making;
    }

    private static Path makingOf(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        return absolute.resolveSibling(absolute.getFileName() + MAKING);
    }

    /** Begins a backup in a folder that does not exist yet. */
    static BackupFiles begin(Path to) {
        Path making = makingOf(to);
        requireMissing(to, "backup");
        createFolder(making);
        return new BackupFiles(to.toAbsolutePath().normalize(), making);
    }

    /**
     * Makes a backup of the files that a task puts into a folder; returns how many there are. The folder has its name when
     * this returns; after an error it is not there.
     */
    public static int create(Path to, Consumer<Path> filling) {
        BackupFiles files = begin(to);
        try {
            filling.accept(files.making);
            files.end(() -> {});
        } catch (RuntimeException | Error e) {
            files.removeAfter(e);
            throw e;
        }
        return list(to).size();
    }

    private static void requireMissing(Path folder, String what) {
        if (Files.exists(folder)) {
            throw new StorageException(folder + ": it exists already; a " + what + " needs a new folder");
        }
    }

    private static void createFolder(Path folder) {
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] own = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        try {
            Files.createDirectory(folder, own);
        } catch (FileAlreadyExistsException e) {
            throw new StorageException(
                    folder + ": it exists: another backup or restore is running, or a crash left it; then remove it",
                    e);
        } catch (IOException e) {
            throw new StorageException(folder + ": cannot be made: " + e, e);
        }
    }

    /** Returns the folder of a database. */
    Path folder(int database) {
        return making.resolve(Integer.toString(database));
    }

    /** Writes the list of all files, and gives the folder its name. Everything is then durable. */
    void end(Runnable each) {
        try {
            List<String> lines = new ArrayList<>(List.of(TITLE));
            for (Path file : filesIn(making)) {
                each.run();
                sync(file);
                lines.add(entry(making, file).line());
            }
            String text = String.join("\n", lines) + "\n";
            Path list = making.resolve(LIST);
            Files.writeString(
                    list,
                    text + "end " + (lines.size() - 1) + " " + HexFormat.of().toHexDigits(check(text)) + "\n");
            sync(list);
            syncFolders(making);
            Files.move(making, to);
            place = to;
            sync(folderOf(to));
        } catch (IOException e) {
            throw new StorageException(to + ": the backup cannot be written: " + e, e);
        }
    }

    /** Removes all files after an error. If that fails as well, the first error tells so. */
    void removeAfter(Throwable met) {
        removeAfter(met, place);
    }

    private static void removeAfter(Throwable met, Path folder) {
        try {
            remove(folder);
        } catch (RuntimeException | Error e) {
            met.addSuppressed(e);
        }
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new StorageException(folder + ": cannot be removed: " + e, e);
        }
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Returns the folder in which a file lies; the root lies in itself. */
    private static Path folderOf(Path file) {
        Path folder = file.getParent();
        return folder == null ? file : folder;
    }

    private static void syncFolders(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.filter(Files::isDirectory).toList()) {
                sync(each);
            }
        }
    }

    private static int check(String text) {
        CRC32C check = new CRC32C();
        check.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) check.getValue();
    }

    private static Entry entry(Path root, Path file) throws IOException {
        CRC32C check = new CRC32C();
        long size = 0;
        byte[] some = new byte[AT_ONCE_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                check.update(some, 0, read);
                size += read;
            }
        }
        return new Entry(root.relativize(file).toString().replace('\\', '/'), size, (int) check.getValue());
    }

    /**
     * Checks every file of a backup; returns how many there are.
     *
     * @throws CorruptException if a file is missing or is not as it was; it names the first one
     */
    public static int verify(Path backup) {
        List<Entry> entries = list(backup);
        for (Entry entry : entries) {
            requireSame(backup, entry, backup.resolve(entry.name()));
        }
        return entries.size();
    }

    private static void requireSame(Path backup, Entry entry, Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new CorruptException(backup + ": the file " + entry.name() + " is missing");
            }
            Entry there = new Entry(entry.name(), Files.size(file), entry.check());
            if (!there.equals(entry)) {
                throw new CorruptException(backup + ": the file " + entry.name() + " has " + there.sizeBytes()
                        + " bytes, expected " + entry.sizeBytes());
            }
            int check = entry(folderOf(file), file).check();
            if (check != entry.check()) {
                throw new CorruptException(backup + ": the file " + entry.name() + " is damaged: its CRC-32C is "
                        + HexFormat.of().toHexDigits(check) + ", expected "
                        + HexFormat.of().toHexDigits(entry.check()));
            }
        } catch (IOException e) {
            throw new StorageException(file + ": cannot be read: " + e, e);
        }
    }

    private static List<Entry> list(Path backup) {
        Path file = backup.resolve(LIST);
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new StorageException(backup + ": not a complete backup: " + e, e);
        }
        int last = text.lastIndexOf("\nend ") + 1;
        List<String> lines = text.substring(0, last).lines().toList();
        String end =
                "end " + (lines.size() - 1) + " " + HexFormat.of().toHexDigits(check(text.substring(0, last))) + "\n";
        if (last == 0
                || !lines.getFirst().equals(TITLE)
                || !text.substring(last).equals(end)) {
            throw new CorruptException(file + ": it is damaged, or of another version");
        }
        return lines.stream().skip(1).map(line -> entry(file, line)).toList();
    }

    private static Entry entry(Path file, String line) {
        String[] parts = line.split(" ", 3);
        try {
            return new Entry(parts[2], Long.parseLong(parts[1]), HexFormat.fromHexDigits(parts[0]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new CorruptException(file + ": the line \"" + line + "\" is not a check, a size and a file", e);
        }
    }

    /**
     * Makes a data folder from a backup, and checks every file on the way; returns how many there are. The folder is complete
     * when this returns; after an error it is not there.
     *
     * @throws CorruptException if a file is missing or is not as it was; it names the first one
     */
    public static int restore(Path backup, Path data) {
        List<Entry> entries = list(backup);
        requireMissing(data, "restore");
        Path making = makingOf(data);
        createFolder(making);
        Path place = making;
        try {
            for (Entry entry : entries) {
                Path target = making.resolve(entry.name()).normalize();
                if (!target.startsWith(making)) {
                    throw new CorruptException(backup + ": the file " + entry.name() + " lies outside the folder");
                }
                requireSame(backup, entry, backup.resolve(entry.name()));
                copy(backup.resolve(entry.name()), target);
                requireSame(making, entry, target);
            }
            syncFolders(making);
            Files.move(making, data.toAbsolutePath().normalize());
            place = data.toAbsolutePath().normalize();
            sync(folderOf(place));
        } catch (IOException e) {
            StorageException failed = new StorageException(data + ": cannot be restored: " + e, e);
            removeAfter(failed, place);
            throw failed;
        } catch (RuntimeException | Error e) {
            removeAfter(e, place);
            throw e;
        }
        return entries.size();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(folderOf(to)); // below a folder that no other user may enter
        try (InputStream in = Files.newInputStream(from);
                OutputStream out = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
            in.transferTo(out);
        }
        sync(to);
    }
}
