package dev.larder.array.node;

import dev.larder.memory.Access;
import dev.larder.memory.CorruptException;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * {@code array.ctl}: identifies the files of a folder, and names settings that must be equal on all nodes. It is there before any
 * other file, and says when the others are made.
 *
 * @param array the identity of the array
 * @param node the number of the node
 * @param stripes how many stripes the array has
 * @param segmentBytes the size that segments of the stores grow to: it decides which values are too large
 * @param valuesOnce whether large values lie only in the stores
 */
public record ArrayFile(UUID array, int node, int stripes, long segmentBytes, boolean valuesOnce) {

    private static final String NAME = "array.ctl";
    private static final String VERSION = "2";

    /** The version for nodes whose large values lie only in the stores: older programs refuse it. */
    private static final String VALUES_VERSION = "3";

    private static final String VALUES_ONCE = "values-once";

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);

    /**
     * Creates the files of a node, in a folder that is empty or missing. The folder is closed to every other user: Raft's logs,
     * which hold keys and values, are readable by all.
     *
     * @param making creates the other files
     * @throws StorageException if there are files in the folder, or it cannot be written
     */
    public void create(Path directory, Runnable making) {
        try {
            SystemStorage.system().createDirectories(directory, Access.OWNER);
            close(directory);
            try (Stream<Path> files = Files.list(directory)) {
                Optional<Path> first = files.findFirst();
                if (first.isPresent()) {
                    throw new StorageException("a node needs an empty folder, and this one has " + first.get());
                }
            }
            write(directory, false);
            making.run();
            write(directory, true);
        } catch (IOException e) {
            throw new StorageException(directory.resolve(NAME) + ": " + e, e);
        }
    }

    /**
     * Requires that a folder holds the files of this node, and that they are whole.
     *
     * @throws StorageException if it does not: the creation of the node was interrupted, or the node has lost its files
     * @throws ForeignFileException if the files belong to another array or node, or were made for other stripes
     * @throws CorruptException if the file cannot be understood
     */
    public void require(Path directory) {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            throw new StorageException(file + " is missing. Either node " + node
                    + " was never created, or it has lost its files: then do not start it again under its number");
        }
        try {
            Properties lines = read(file);
            if (!Boolean.parseBoolean(lines.getProperty("made", ""))) {
                throw new StorageException(file + ": node " + node
                        + " was not created completely, and has never run; remove the folder, and create the"
                        + " node again");
            }
            ArrayFile found = of(lines);
            if (!found.equals(this)) {
                throw new ForeignFileException(file + " belongs to " + found.text() + ", not to " + text());
            }
            closeIfAllowed(directory);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        } catch (IllegalArgumentException e) {
            throw new CorruptException(file + " is damaged: " + e.getMessage());
        }
    }

    private String text() {
        return "node " + node + " of array " + array + " with " + stripes + " stripes and segments of " + segmentBytes
                + " bytes" + (valuesOnce ? ", which writes values once" : "");
    }

    /** Removes the permissions of users who are neither a folder's owner nor in its group. */
    private static void close(Path directory) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view != null) { // Windows has none
            Set<PosixFilePermission> permissions =
                    EnumSet.copyOf(view.readAttributes().permissions());
            if (permissions.removeAll(OTHERS)) {
                view.setPermissions(permissions);
            }
        }
    }

    /** Closes a folder that an earlier release created. A folder of another owner stays as it is. */
    private static void closeIfAllowed(Path directory) throws IOException {
        try {
            close(directory);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    private static Properties read(Path file) throws IOException {
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            lines.load(in);
        }
        String version = lines.getProperty("version");
        if (!VERSION.equals(version) && !VALUES_VERSION.equals(version)) {
            throw new CorruptException(file + " has version " + version + ", not " + VERSION + " or " + VALUES_VERSION);
        }
        return lines;
    }

    private static ArrayFile of(Properties lines) {
        return new ArrayFile(
                UUID.fromString(lines.getProperty("array", "")),
                Integer.parseInt(lines.getProperty("node", "")),
                Integer.parseInt(lines.getProperty("stripes", "")),
                Long.parseLong(lines.getProperty("segment-bytes", "")),
                Boolean.parseBoolean(lines.getProperty(VALUES_ONCE, "false")));
    }

    private void write(Path directory, boolean isMade) throws IOException {
        Properties lines = new Properties();
        lines.setProperty("version", valuesOnce ? VALUES_VERSION : VERSION);
        lines.setProperty("array", array.toString());
        lines.setProperty("node", Integer.toString(node));
        lines.setProperty("stripes", Integer.toString(stripes));
        lines.setProperty("segment-bytes", Long.toString(segmentBytes));
        if (valuesOnce) {
            lines.setProperty(VALUES_ONCE, "true");
        }
        lines.setProperty("made", Boolean.toString(isMade));
        StringWriter text = new StringWriter();
        lines.store(text, null);
        Path next = directory.resolve(NAME + ".tmp");
        Files.writeString(next, text.toString(), StandardCharsets.ISO_8859_1);
        force(next);
        Files.move(next, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        force(directory);
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
