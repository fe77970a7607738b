package dev.larder.array.node;

import dev.larder.memory.CorruptException;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * {@code array.ctl}: whose files a folder holds. It is there before any other, and says when those are made.
 *
 * @param array the identity of the array
 * @param node the number of the node
 * @param made whether the member of this node is made, and may have voted
 */
public record ArrayFile(UUID array, int node, boolean made) {

    private static final String NAME = "array.ctl";
    private static final String VERSION = "1";

    /**
     * Makes the file, in a folder that is empty or not there.
     *
     * @throws StorageException if there are files in the folder, or it cannot be written
     */
    public static void create(Path directory, UUID array, int node) {
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                Optional<Path> first = files.findFirst();
                if (first.isPresent()) {
                    throw new StorageException("a node is made in an empty folder, and there is " + first.get());
                }
            }
            new ArrayFile(array, node, false).write(directory);
        } catch (IOException e) {
            throw new StorageException(directory.resolve(NAME) + ": " + e, e);
        }
    }

    /**
     * Returns what a folder's file says.
     *
     * @throws StorageException if there is none: the node was never made, or has lost its files
     * @throws ForeignFileException if the files are those of another array or node
     * @throws CorruptException if the file cannot be understood
     */
    public static ArrayFile open(Path directory, UUID array, int node) {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            throw new StorageException(file + " is missing: node " + node
                    + " was never made, or it has lost its files and" + " must not come back under its number");
        }
        try {
            ArrayFile found = read(file);
            if (!found.array.equals(array) || found.node != node) {
                throw new ForeignFileException(file + " is of node " + found.node + " of array " + found.array
                        + ", and not of node " + node + " of array " + array);
            }
            return found;
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        }
    }

    private static ArrayFile read(Path file) throws IOException {
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            lines.load(in);
        }
        try {
            if (!VERSION.equals(lines.getProperty("version"))) {
                throw new CorruptException(file + " has version " + lines.getProperty("version") + ", not " + VERSION);
            }
            return new ArrayFile(
                    UUID.fromString(lines.getProperty("array", "")),
                    Integer.parseInt(lines.getProperty("node", "")),
                    Boolean.parseBoolean(lines.getProperty("made", "")));
        } catch (IllegalArgumentException e) {
            throw new CorruptException(file + " is damaged: " + e.getMessage());
        }
    }

    /** Says that the member is made; it survives a loss of power. */
    public void writeMade(Path directory) {
        try {
            new ArrayFile(array, node, true).write(directory);
        } catch (IOException e) {
            throw new StorageException(directory.resolve(NAME) + ": " + e, e);
        }
    }

    private void write(Path directory) throws IOException {
        Properties lines = new Properties();
        lines.setProperty("version", VERSION);
        lines.setProperty("array", array.toString());
        lines.setProperty("node", Integer.toString(node));
        lines.setProperty("made", Boolean.toString(made));
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
