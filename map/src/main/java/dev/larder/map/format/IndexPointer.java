package dev.larder.map.format;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file {@code map.index}, which tells where the index lies that all processes with the map open share. The first process
 * writes it under another name and renames it; the last one removes it.
 *
 * <pre>
 * 0                64       72            80
 * | common header  | opening | path length | path, UTF-8 | zeros to 4096 |
 * </pre>
 *
 * <p>The index also contains the number of the opening, so no process mistakes an index that was left behind for the one it
 * seeks.
 *
 * @param opening the number of the opening, chosen at random
 * @param path the file with the index
 */
public record IndexPointer(long opening, Path path) {

    public static final String FILE_NAME = "map.index";

    /** The layout of the format's own header. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES).withName("common header"),
                    Words.LONG.withName("opening"),
                    Words.LONG.withName("path length"))
            .withName("pointer header");

    private static final String FORMAT = "MAPPTR";
    private static final int VERSION = 1;
    private static final int BYTES = 4096;
    private static final String MAKING = "map.index.tmp";
    private static final long OPENING = LAYOUT.byteOffset(PathElement.groupElement("opening"));
    private static final long LENGTH = LAYOUT.byteOffset(PathElement.groupElement("path length"));
    private static final long PATH = LAYOUT.byteSize();

    /** Writes this pointer into a map's directory, in place of an older one. The caller holds the gate. */
    public void write(Path directory, LogOptions options) {
        Storage storage = HookedOptions.of(options).storage();
        Path made = directory.resolve(MAKING);
        storage.delete(made);
        try (StorageFile file = storage.create(made, options.access().files())
                        .orElseThrow(() -> new StorageException(made + ": a file of this name exists"));
                Arena arena = Arena.ofShared()) {
            file.allocate(BYTES, Allocation.ZEROS);
            file.write(bytes(arena), 0);
        }
        storage.rename(made, directory.resolve(FILE_NAME));
    }

    private MemorySegment bytes(Arena arena) {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        if (name.length > BYTES - PATH) {
            throw new StorageException(
                    path + ": the name of the index file has " + name.length + " bytes; the most is " + (BYTES - PATH));
        }
        MemorySegment bytes = arena.allocate(BYTES, 8);
        Words.setPlain(bytes, OPENING, opening);
        Words.setPlain(bytes, LENGTH, name.length);
        MemorySegment.copy(name, 0, bytes, ValueLayout.JAVA_BYTE, PATH, name.length);
        FileHeader.write(bytes, FORMAT, VERSION, BYTES, Features.NONE);
        return bytes;
    }

    /**
     * Reads the pointer of a map's directory; empty if there is none.
     *
     * @throws dev.larder.memory.LarderException if it is damaged
     */
    public static Optional<IndexPointer> read(Path directory, Storage storage) {
        Path path = directory.resolve(FILE_NAME);
        Optional<StorageFile> file = storage.open(path, false);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try (StorageFile open = file.get();
                Arena arena = Arena.ofShared()) {
            if (open.sizeBytes() != BYTES) {
                throw new TruncatedException(path + ": file of " + open.sizeBytes() + " bytes, expected " + BYTES);
            }
            return Optional.of(read(path, open.map(0, BYTES, false, arena)));
        }
    }

    private static IndexPointer read(Path path, MemorySegment bytes) {
        FileHeader.read(bytes, path, FORMAT, VERSION, Features.NONE, false);
        long length = Words.getPlain(bytes, LENGTH);
        if (length < 1 || length > BYTES - PATH) {
            throw new CorruptException(path + ": stored path of " + length + " bytes, expected 1 to " + (BYTES - PATH));
        }
        byte[] name = bytes.asSlice(PATH, length).toArray(ValueLayout.JAVA_BYTE);
        try {
            return new IndexPointer(Words.getPlain(bytes, OPENING), Path.of(new String(name, StandardCharsets.UTF_8)));
        } catch (InvalidPathException e) {
            throw new CorruptException(path + ": stored path is not valid: " + e.getMessage(), e);
        }
    }
}
