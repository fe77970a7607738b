package dev.larder.array.stripe;

import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A text that entries of a stripe replace as a whole, each from one version to the next. It lies in a file beside the store, with
 * the index of the entry that wrote it. So an entry that is applied again changes nothing. Little-endian.
 *
 * <pre>
 * entry  0       1         9
 *        | kind  | version | text ...      kind: 2; version: the one that it replaces
 *
 * file   0       4       12        20
 *        | check | index | version | text ...
 * </pre>
 *
 * Used by the thread that applies entries.
 */
final class RecordCell {

    /** The first byte of an entry that replaces the text; entries of commands begin with 1. */
    static final byte KIND = 2;

    private static final int ENTRY_HEAD_BYTES = 9;
    private static final int FILE_HEAD_BYTES = 20;
    private static final int CHECK_BYTES = 4;

    private final Path file;
    private Consumer<String> listener = text -> {};
    private @Nullable String text;
    private long index = -1;
    private long version;

    /**
     * Reads the text, if there is one.
     *
     * @throws CorruptException if the file is damaged
     */
    RecordCell(Path file) {
        this.file = file;
        if (Files.exists(file)) {
            read();
        }
    }

    /** Sets the listener for the text. It is called now, if there is a text, and after each change. */
    void listen(Consumer<String> other) {
        listener = other;
        String known = text;
        if (known != null) {
            other.accept(known);
        }
    }

    private void read() {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new StorageException(file + ": " + e, e);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < FILE_HEAD_BYTES || in.getInt() != check(bytes)) {
            throw new CorruptException(file + " is damaged: its " + bytes.length + " bytes fail their check");
        }
        index = in.getLong();
        version = in.getLong();
        text = StandardCharsets.UTF_8.decode(in).toString();
    }

    private static int check(byte[] bytes) {
        CRC32C check = new CRC32C();
        check.update(bytes, CHECK_BYTES, bytes.length - CHECK_BYTES);
        return (int) check.getValue();
    }

    /** Returns the entry that replaces the text of a given version. */
    static ByteBuffer entry(long replaced, String next) {
        byte[] bytes = next.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(ENTRY_HEAD_BYTES + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(KIND)
                .putLong(replaced)
                .put(bytes)
                .flip();
    }

    /** Returns whether an entry replaces the text. */
    static boolean isEntry(ByteBuffer entry) {
        return entry.hasRemaining() && entry.get(entry.position()) == KIND;
    }

    /** Applies an entry: replaces the text, if it has the version that the entry names. */
    void apply(long at, ByteBuffer entry) {
        ByteBuffer in = entry.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < ENTRY_HEAD_BYTES) {
            throw new CorruptException("an entry of a record has " + in.remaining() + " bytes");
        }
        in.get();
        if (at <= index || in.getLong() != version) {
            return;
        }
        String next = StandardCharsets.UTF_8.decode(in).toString();
        write(at, version + 1, next);
        text = next;
        index = at;
        version++;
        listener.accept(next);
    }

    private void write(long at, long next, String changed) {
        byte[] bytes = changed.getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[FILE_HEAD_BYTES + bytes.length];
        ByteBuffer out = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(0).putLong(at).putLong(next).put(bytes);
        out.putInt(0, check(all));
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.write(temporary, all);
            force(temporary, StandardOpenOption.WRITE);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
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
