package dev.larder.array.node;

import dev.larder.memory.CorruptException;
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
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code array.members}: of which stripes a node has members. A member that stands there must have its files. Of one thread.
 */
public final class MembersFile {

    /** How a member came to be. */
    public enum Origin {
        /** With the array. */
        FOUNDER,
        /** Later, and its files are being made: it has never run. */
        MAKING,
        /** Later. */
        JOINED
    }

    private static final String NAME = "array.members";
    private static final String STRIPE = "stripe.";

    private final Path file;
    private final SortedMap<Integer, Origin> members;

    private MembersFile(Path directory, SortedMap<Integer, Origin> members) {
        this.file = directory.resolve(NAME);
        this.members = members;
    }

    /** Writes the file of a node that is made. */
    public static void create(Path directory, Iterable<Integer> founding) {
        SortedMap<Integer, Origin> members = new TreeMap<>();
        founding.forEach(stripe -> members.put(stripe, Origin.FOUNDER));
        new MembersFile(directory, members).write();
    }

    /**
     * Reads the file.
     *
     * @throws CorruptException if it is damaged
     */
    public static MembersFile read(Path directory) {
        MembersFile read = new MembersFile(directory, new TreeMap<>());
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(read.file)) {
            lines.load(in);
            for (String name : lines.stringPropertyNames()) {
                read.members.put(
                        Integer.valueOf(name.substring(STRIPE.length())),
                        Origin.valueOf(lines.getProperty(name, "").toUpperCase(Locale.ROOT)));
            }
            return read;
        } catch (IOException e) {
            throw new StorageException(read.file + ": " + e, e);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptException(read.file + " is damaged: " + e.getMessage());
        }
    }

    /** Returns the members by the numbers of their stripes. */
    public Map<Integer, Origin> all() {
        return Collections.unmodifiableMap(new TreeMap<>(members));
    }

    /** Says that there is a member of a stripe. */
    public void put(int stripe, Origin origin) {
        members.put(stripe, origin);
        write();
    }

    /** Says that there is none any more. */
    public void remove(int stripe) {
        members.remove(stripe);
        write();
    }

    private void write() {
        Properties lines = new Properties();
        members.forEach((stripe, origin) ->
                lines.setProperty(STRIPE + stripe, origin.name().toLowerCase(Locale.ROOT)));
        Path next = file.resolveSibling(NAME + ".tmp");
        try {
            StringWriter text = new StringWriter();
            lines.store(text, null);
            Files.writeString(next, text.toString(), StandardCharsets.ISO_8859_1);
            force(next, StandardOpenOption.WRITE);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            force(Objects.requireNonNull(file.toAbsolutePath().getParent()), StandardOpenOption.READ);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        }
    }

    private static void force(Path path, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }
}
