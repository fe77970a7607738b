package dev.larder.codec.schema;

import dev.larder.codec.Schema;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The file of one schema. It is written under a private name, flushed, and then linked under its number, which never replaces
 * another file. So a file that is found is complete, and processes do not wait for each other.
 *
 * <pre>
 * 0        64       68            72           76      80
 * | header | number | text length | text check | gap   | text, UTF-8
 * </pre>
 */
public final class SchemaFile {

    /** The layout of the format's own header. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES),
                    LittleEndian.INT.withName("number"),
                    LittleEndian.INT.withName("text_bytes"),
                    LittleEndian.INT.withName("text_check"),
                    MemoryLayout.paddingLayout(Integer.BYTES))
            .withName("schema header");

    public static final String SUFFIX = ".schema";
    public static final String PRIVATE_PREFIX = "schema-";
    public static final String PRIVATE_SUFFIX = ".tmp";

    /** The byte that is locked while a file is being made: far beyond the text. Other processes may not write the text then. */
    public static final long LOCK = 1L << 32;

    private static final String FORMAT = "QSCHEMA";
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = (int) LAYOUT.byteSize();
    private static final long NUMBER = offset("number");
    private static final long TEXT_BYTES = offset("text_bytes");
    private static final long TEXT_CHECK = offset("text_check");

    private SchemaFile() {}

    public static String name(int number) {
        return String.format(Locale.ROOT, "%08d", number) + SUFFIX;
    }

    /** Returns the number in a file's name; -1 if it is not the name of a schema, whose number fits into a message. */
    public static int numberOf(String name) {
        boolean schema = name.length() == 8 + SUFFIX.length()
                && name.endsWith(SUFFIX)
                && name.chars().limit(8).allMatch(c -> c >= '0' && c <= '9');
        int number = schema ? Integer.parseInt(name.substring(0, 8)) : -1;
        return Schemas.isNumber(number) ? number : -1;
    }

    /**
     * Writes a schema into a new file and flushes it. The file is locked while it is open. Empty if the name is taken, or if
     * another process is just checking whether the file was abandoned.
     */
    public static Optional<StorageFile> write(Path file, int number, Schema schema, Storage storage, Access access) {
        Optional<StorageFile> made = storage.create(file, access);
        if (made.isEmpty()) {
            return made;
        }
        boolean whole = false;
        try {
            whole = made.get().tryLock(LOCK);
            if (whole) {
                whole = false;
                fill(made.get(), number, schema.text().getBytes(StandardCharsets.UTF_8));
                whole = true;
            }
        } finally {
            if (!whole) {
                made.get().close();
            }
        }
        return whole ? made : Optional.empty();
    }

    private static void fill(StorageFile file, int number, byte[] text) {
        try (Arena arena = Arena.ofShared()) {
            file.allocate(HEADER_BYTES + (long) text.length, Allocation.ZEROS);
            MemorySegment bytes = arena.allocate(HEADER_BYTES + (long) text.length);
            MemorySegment.copy(text, 0, bytes, ValueLayout.JAVA_BYTE, HEADER_BYTES, text.length);
            bytes.set(LittleEndian.INT, NUMBER, number);
            bytes.set(LittleEndian.INT, TEXT_BYTES, text.length);
            bytes.set(LittleEndian.INT, TEXT_CHECK, Crc32c.of(bytes, HEADER_BYTES, text.length));
            FileHeader.write(bytes, FORMAT, VERSION, HEADER_BYTES, Features.NONE);
            file.write(bytes, 0);
            file.forceAll();
        }
    }

    /** Reads the schema of a number; empty if there is none. */
    public static Optional<Schema> read(Path directory, int number, Storage storage) {
        Path path = directory.resolve(name(number));
        Optional<StorageFile> file = storage.open(path, false);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try (StorageFile open = file.get();
                Arena arena = Arena.ofShared()) {
            if (open.sizeBytes() < HEADER_BYTES) {
                throw new TruncatedException(
                        path + ": schema of " + open.sizeBytes() + " bytes, least is " + HEADER_BYTES);
            }
            return Optional.of(read(open.map(0, open.sizeBytes(), false, arena), number, path));
        }
    }

    private static Schema read(MemorySegment bytes, int number, Path path) {
        FileHeader.read(bytes, path, FORMAT, VERSION, Features.NONE, false);
        int length = bytes.get(LittleEndian.INT, TEXT_BYTES);
        if (length < 0 || length != bytes.byteSize() - HEADER_BYTES) {
            throw new TruncatedException(
                    path + ": " + (bytes.byteSize() - HEADER_BYTES) + " bytes of text, its header says " + length);
        }
        boolean sound = bytes.get(LittleEndian.INT, NUMBER) == number
                && bytes.get(LittleEndian.INT, TEXT_CHECK) == Crc32c.of(bytes, HEADER_BYTES, length);
        if (!sound) {
            throw new CorruptException(path + ": the schema of " + length + " bytes at " + HEADER_BYTES
                    + " fails its check, or belongs to another number");
        }
        byte[] text = bytes.asSlice(HEADER_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
        try {
            return new Schema(new String(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new CorruptException(path + ": cannot parse the schema: " + e.getMessage(), e);
        }
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }
}
