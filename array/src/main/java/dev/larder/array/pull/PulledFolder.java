package dev.larder.array.pull;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.log.layer.LogCopy;
import dev.larder.memory.Access;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The folder into which the files of a store are pulled. It lies beside the store, which it replaces as a whole.
 *
 * <pre>
 * stripes/7.pulling/source     which node's files, and of which moment
 * stripes/7.pulling/done       a line for each file that is here: CRC-32C, bytes, name
 * stripes/7.pulling/files/...  the files
 * stripes/7.pulling/whole      all are here, checked and durable: from now on they count, and not the store
 * </pre>
 *
 * A process may be killed at any step. Before {@code whole} exists, the pull continues or begins anew. Afterwards the next start
 * puts the files in place. The folder is then deleted, {@code source} and {@code whole} last: {@code whole} without files is the
 * rest of a folder whose files are the store.
 */
public final class PulledFolder {

    private static final String SUFFIX = ".pulling";
    private static final String SOURCE = "source";
    private static final String DONE = "done";
    private static final String FILES = "files";
    private static final String WHOLE = "whole";
    private static final int AT_ONCE_BYTES = 1 << 20;

    /** A line of the file that lists the pulled files: check, bytes, name. */
    private static final Pattern DONE_LINE = Pattern.compile("([0-9a-f]{8}) ([0-9]{1,18}) (.+);");

    /**
     * The node and moment from which the files come.
     *
     * @param hold the source's name for the moment that it holds
     * @param index the last entry whose effects are all in the files
     * @param listBytes how long the list of files is
     * @param term the term of that entry, or {@link Place#UNKNOWN_TERM}
     */
    record Origin(int node, long hold, long index, long listBytes, long term) {

        /** Returns the place of the last entry whose effects are all in the files. */
        Place place() {
            return new Place(term, index);
        }
    }

    private record Done(String check, long sizeBytes) {}

    private final Path store;
    private final Path record;
    private final Path folder;
    private final Map<String, Done> done = new HashMap<>();

    /**
     * Creates the view of the folder beside a store.
     *
     * @param record the file beside the store that is pulled with it
     */
    public PulledFolder(Path store, Path record) {
        this.store = store;
        this.record = record;
        this.folder = store.resolveSibling(store.getFileName() + SUFFIX);
    }

    /** Returns the folder, which need not exist. */
    Path directory() {
        return folder;
    }

    /** Returns how many bytes the files here have. */
    long sizeBytes() throws IOException {
        long sizeBytes = 0;
        if (exists()) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : all.filter(Files::isRegularFile).toList()) {
                    sizeBytes += Files.size(file);
                }
            }
        }
        return sizeBytes;
    }

    /** Returns whether all or some files are here. */
    public boolean exists() {
        return Files.exists(folder);
    }

    /** Returns whether all files are here, and count. */
    public boolean isWhole() {
        return Files.exists(folder.resolve(WHOLE));
    }

    /**
     * Returns whether only the rest of a whole folder is here: its files are the store. Or it was being deleted unused, and the
     * store is as it was.
     */
    public boolean isRest() {
        return isWhole()
                && !Files.exists(folder.resolve(FILES).resolve(HeldFiles.STORE))
                && !Files.exists(folder.resolve(FILES).resolve(HeldFiles.RECORD));
    }

    /** Returns the last entry that the files here cover; {@link Place#NONE} if that is not known. */
    public Place place() {
        return origin().map(Origin::place).orElse(Place.NONE);
    }

    /** Returns where the files come from; empty if that is not known. */
    Optional<Origin> origin() {
        Path file = folder.resolve(SOURCE);
        try {
            if (Files.exists(file)) {
                String[] parts = Files.readString(file).strip().split(" ", -1);
                return Optional.of(new Origin(
                        Integer.parseInt(parts[0]),
                        Long.parseLong(parts[1]),
                        Long.parseLong(parts[2]),
                        Long.parseLong(parts[3]),
                        parts.length > 4
                                ? Long.parseLong(parts[4])
                                : Place.UNKNOWN_TERM)); // earlier releases wrote none
            }
        } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty(); // the process was killed as it wrote this file
        }
        return Optional.empty();
    }

    /** Begins anew, without files. */
    void begin(Origin origin) throws IOException {
        delete(folder);
        done.clear();
        createDirectories(folder.resolve(FILES));
        Files.createFile(folder.resolve(DONE));
        Files.writeString(
                folder.resolve(SOURCE),
                origin.node() + " " + origin.hold() + " " + origin.index() + " " + origin.listBytes() + " "
                        + origin.term() + "\n");
    }

    /**
     * Continues with the files of an origin that are here. After a power loss the file that lists them may hold anything. A file
     * that it does not name is pulled again.
     */
    void goOn() throws IOException {
        done.clear();
        Path file = folder.resolve(DONE);
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n", -1)) {
            Matcher whole = DONE_LINE.matcher(line);
            if (whole.matches()) { // else the process was killed as it wrote the line
                String name = whole.group(3);
                if (isInside(name) && Files.exists(path(name))) { // else the file is not as it came
                    done.put(name, new Done(whole.group(1), Long.parseLong(whole.group(2))));
                }
            }
        }
    }

    private boolean isInside(String name) {
        boolean isOurs =
                name.equals(HeldFiles.RECORD) || name.equals(HeldFiles.MEMBERS) || name.startsWith(HeldFiles.STORE);
        Path files = folder.resolve(FILES);
        return isOurs
                && name.indexOf('\n') < 0
                && name.indexOf('\0') < 0
                && files.resolve(name).normalize().startsWith(files);
    }

    /** Returns whether a file is here, with all its bytes. */
    boolean isDone(String name, long sizeBytes) throws IOException {
        Done there = done.get(name);
        return there != null && there.sizeBytes() == sizeBytes && Files.exists(path(name));
    }

    /** Creates an empty file, which only its owner may read, in place of an earlier one. */
    Path create(String name) throws IOException {
        Path path = path(name);
        Files.deleteIfExists(path);
        try {
            SystemStorage.system().create(path, Access.OWNER).ifPresent(StorageFile::close);
        } catch (LarderException e) {
            throw new IOException(e.getMessage(), e);
        }
        return path;
    }

    private static void createDirectories(Path path) throws IOException {
        try {
            SystemStorage.system().createDirectories(path, Access.OWNER);
        } catch (LarderException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the path of a pulled file. */
    Path path(String name) throws IOException {
        if (!isInside(name)) {
            throw new IOException("the source names a file outside the store: " + name);
        }
        Path path = folder.resolve(FILES).resolve(name).normalize();
        createDirectories(parent(path));
        return path;
    }

    /** Records that a file is here. */
    void done(String name, long sizeBytes, int check) throws IOException {
        sync(path(name));
        Done line = new Done(HexFormat.of().toHexDigits(check), sizeBytes);
        done.put(name, line);
        Files.writeString( // on a line of its own: the line before may have no end
                folder.resolve(DONE),
                "\n" + line.check() + " " + sizeBytes + " " + name + ";\n",
                StandardOpenOption.APPEND);
    }

    /**
     * Checks all files, then makes them count. It changes none of them: a process that is killed meanwhile checks them again.
     *
     * @throws IOException if a file is not as it came; that file is to be pulled again
     */
    void finish() throws IOException {
        for (Map.Entry<String, Done> entry : List.copyOf(done.entrySet())) {
            Path path = path(entry.getKey());
            String check = HexFormat.of().toHexDigits(check(path));
            if (Files.size(path) != entry.getValue().sizeBytes()
                    || !check.equals(entry.getValue().check())) {
                long sizeBytes = Files.size(path);
                done.remove(entry.getKey());
                Files.delete(path);
                throw new IOException(path + " has " + sizeBytes + " bytes and CRC-32C " + check
                        + ", but the source sent " + entry.getValue() + ". This node pulls it again");
            }
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.filter(Files::isDirectory).toList()) {
                sync(each);
            }
        }
        Files.createFile(folder.resolve(WHOLE));
        sync(folder);
    }

    private static int check(Path path) throws IOException {
        CRC32C check = new CRC32C();
        byte[] some = new byte[AT_ONCE_BYTES];
        try (InputStream in = Files.newInputStream(path)) {
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                check.update(some, 0, read);
            }
        }
        return (int) check.getValue();
    }

    /**
     * Puts whole files in place of the store, which must not be open. Steps that were taken before are not repeated.
     *
     * @param members where Raft reads the members of the stripe when it starts; empty if those that came are not needed
     * @throws StorageException if the files cannot be put in place
     */
    public void install(Optional<Path> members) {
        try {
            if (members.isPresent()) {
                put(folder.resolve(FILES).resolve(HeldFiles.MEMBERS), members.get());
                sync(parent(members.get()));
            }
            settle(folder.resolve(FILES).resolve(HeldFiles.STORE));
            put(folder.resolve(FILES).resolve(HeldFiles.STORE), store);
            put(folder.resolve(FILES).resolve(HeldFiles.RECORD), record);
            sync(parent(store));
            delete(folder);
        } catch (IOException e) {
            throw new StorageException(store + ": cannot put the pulled files in place: " + e, e);
        }
    }

    /** Makes the logs of a store begin as copies. Logs that were settled before are settled again. */
    private static void settle(Path from) throws IOException {
        if (Files.exists(from)) {
            try (Stream<Path> all = Files.walk(from)) {
                all.filter(Files::isRegularFile).filter(LogCopy::isControl).forEach(LogCopy::settle);
            }
        }
    }

    private static void put(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            if (Files.isDirectory(to)) { // a file is replaced by the move
                delete(to);
            }
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /**
     * Deletes the folder, whole or not.
     *
     * @throws StorageException if the folder cannot be deleted
     */
    public void delete() {
        try {
            delete(folder);
        } catch (IOException e) {
            throw new StorageException(folder + " cannot be deleted: " + e, e);
        }
    }

    /** Deletes a folder. The files that say what the others are go last. */
    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        List<Path> last = List.of(path.resolve(SOURCE), path.resolve(WHOLE), path);
        List<Path> first;
        try (Stream<Path> files = Files.walk(path)) {
            first = files.filter(file -> !last.contains(file))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : first) {
            Files.delete(file);
        }
        for (Path file : last) {
            Files.deleteIfExists(file);
        }
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent());
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    /** Returns the lines of a list of files. */
    static List<String> lines(byte[] list) {
        return new String(list, StandardCharsets.UTF_8).lines().toList();
    }
}
