package dev.larder.array.pull;

import dev.larder.log.layer.LogCopy;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The files of a store that is held at a moment while entries are applied. A copy of them holds what a power loss may leave: all
 * that was synced at the moment, and perhaps some later changes.
 *
 * <pre>
 * control files of all logs read | all files listed | read, on request, control files last
 * </pre>
 *
 * So a control file never names a segment that is missing in the list, except those that were dropped since. The moment does not
 * need them, and the beginning of a log is read last. Not thread-safe.
 */
public final class HeldFiles {

    private static final int TRIES = 100;
    private static final long PAUSE_MILLIS = 20;

    /** The folder of the store, as the list names it. */
    static final String STORE = "store/";

    /** The file beside the store, as the list names it. */
    static final String RECORD = "record";

    /** The file that names the members of the stripe, as the list names it. */
    static final String MEMBERS = "members";

    private static final String CONTROL = "log.ctl";
    private static final String SEGMENT = ".seg";
    private static final String CHECKPOINT = "map.checkpoint";

    /** Files that each process makes for itself, and makes anew. */
    private static final List<String> OWN = List.of("map.index", "log.cnt");

    /** Identifies a file by its key, since another file may have got its name. */
    private record Listed(String name, Path path, long sizeBytes, Object key) {}

    private final List<Listed> files = new ArrayList<>();
    private final Map<Path, byte[]> controls = new HashMap<>();

    /**
     * Lists the files of a store.
     *
     * @param record a file beside it; it may be missing
     * @param members the file in which Raft keeps the last committed members; it may be missing
     * @throws StorageException if the files cannot be read, or keep disappearing
     */
    public HeldFiles(Path store, Path record, Path members) {
        try {
            for (int i = 0; !list(store, record, members); i++) {
                if (i == TRIES) {
                    throw new StorageException(store + ": its files keep disappearing while they are listed");
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException e) {
            throw new StorageException(store + ": cannot be listed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(store + ": the listing was interrupted", e);
        }
    }

    private boolean list(Path store, Path record, Path members) throws IOException {
        files.clear();
        controls.clear();
        try {
            for (Path file : walk(store)) {
                if (LogCopy.isControl(file)) {
                    controls.put(file, LogCopy.readControl(file));
                }
            }
            for (Path file : walk(store)) {
                add(STORE + store.relativize(file).toString().replace('\\', '/'), file);
            }
            addIfThere(RECORD, record);
            addIfThere(MEMBERS, members);
            files.sort(Comparator.comparing((Listed file) -> controls.containsKey(file.path))
                    .thenComparing(Listed::name));
            return true;
        } catch (NoSuchFileException | UncheckedIOException e) {
            return false; // a file disappeared between the two walks
        }
    }

    private void addIfThere(String name, Path file) throws IOException {
        if (Files.exists(file)) {
            add(name, file);
        }
    }

    private void add(String name, Path file) throws IOException {
        String last = file.getFileName().toString();
        Path control = file.resolveSibling(CONTROL);
        // Entries bring back a log that was made after the first walk.
        boolean isLater = !controls.containsKey(control) && (last.endsWith(SEGMENT) || Files.exists(control));
        if (!isLater && !OWN.contains(last) && !last.endsWith(".tmp")) {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            files.add(new Listed(name, file, attributes.size(), key(attributes)));
        }
    }

    private static Object key(BasicFileAttributes attributes) {
        Object key = attributes.fileKey();
        return key == null ? attributes.creationTime() : key;
    }

    private static List<Path> walk(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }

    /** Returns the list: a line for each file, with its size and its name. A file's number is the number of its line, from 0. */
    public byte[] list() {
        StringBuilder lines = new StringBuilder();
        files.forEach(file ->
                lines.append(file.sizeBytes).append(' ').append(file.name).append('\n'));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the total bytes of the files. */
    long sizeBytes() {
        return files.stream().mapToLong(Listed::sizeBytes).sum();
    }

    int count() {
        return files.size();
    }

    /** Returns whether the moment does not need a file that has gone: the file only saved time, or its log has dropped it. */
    boolean isSpare(int number) throws IOException {
        Path file = files.get(number).path;
        return file.endsWith(CHECKPOINT) || LogCopy.isDropped(file);
    }

    /**
     * Returns some bytes of a file, as they are now. Fewer are returned at its end.
     *
     * @throws NoSuchFileException if the name belongs to another file now, or to none
     */
    public ByteBuffer read(int number, long offset, int length) throws IOException {
        Listed file = files.get(number);
        ByteBuffer bytes = ByteBuffer.allocate(Math.clamp(file.sizeBytes - offset, 0, length));
        byte[] control = controls.get(file.path);
        if (control != null) {
            LogCopy.updateStart(file.path, control);
            int there = Math.clamp(control.length - offset, 0, bytes.capacity());
            return there > 0
                    ? bytes.put(0, control, (int) offset, there) // zeros follow
                    : bytes;
        }
        try (FileChannel channel = FileChannel.open(file.path, StandardOpenOption.READ)) {
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
                // until all bytes are read
            }
        }
        if (!Objects.equals(key(Files.readAttributes(file.path, BasicFileAttributes.class)), file.key)) {
            throw new NoSuchFileException(file.path.toString());
        }
        return bytes.rewind();
    }
}
