package dev.larder.server.store;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The moment to which each opening of a kept store takes it back. It is the file {@code kept}, which is replaced as a whole.
 *
 * <pre>
 * 0               64         72        80      88        96     104      112          120
 * | common header | clock ms | strings | names | records | turn | number | note bytes | note | zeros to 1024 |
 * </pre>
 *
 * @param clockMillis the store's time at that moment
 * @param strings the restore point of the strings
 * @param names the restore point of the streams' names; 0 if there was no stream yet
 * @param records the restore point of the streams' records
 * @param turn the last turn given to a name
 * @param number the last number given to a stream
 * @param note the bytes that the caller of {@link KeptStore#keep} stores with the moment
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeptPoint(long clockMillis, long strings, long names, long records, long turn, long number, byte[] note) {

    static final int NOTE_MAX_BYTES = 512;

    /** An empty store. */
    static final KeptPoint EMPTY = new KeptPoint(0, 0, 0, 0, 0, 0, new byte[0]);

    private static final String FORMAT = "KEPT";
    private static final int VERSION = 1;
    private static final int BYTES = 1024;
    private static final String NAME = "kept";
    private static final String MAKING = "kept.tmp";

    /** Reads the kept moment of a store; returns {@link #EMPTY} if there is none. */
    static KeptPoint read(Path directory, Storage storage) {
        Path path = directory.resolve(NAME);
        Optional<StorageFile> there = storage.open(path, false);
        if (there.isEmpty()) {
            return EMPTY;
        }
        try (StorageFile file = there.get();
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes = file.map(0, Math.min(BYTES, file.sizeBytes()), false, arena);
            FileHeader.read(bytes, path, FORMAT, VERSION, Features.NONE, true);
            return decode(path, fields(bytes));
        }
    }

    private static ByteBuffer fields(MemorySegment bytes) {
        return bytes.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN).position(FileHeader.COMMON_BYTES);
    }

    private static KeptPoint decode(Path path, ByteBuffer in) {
        long clock = in.getLong();
        long strings = in.getLong();
        long names = in.getLong();
        long records = in.getLong();
        long turn = in.getLong();
        long number = in.getLong();
        long length = in.getLong();
        if (length < 0 || length > NOTE_MAX_BYTES) {
            throw new CorruptException(path + ": the note has " + length + " bytes; the most is " + NOTE_MAX_BYTES);
        }
        byte[] note = new byte[(int) length];
        in.get(note);
        return new KeptPoint(clock, strings, names, records, turn, number, note);
    }

    /** Writes this moment in place of the previous one. It is durable when this returns. */
    void write(Path directory, Storage storage, Access access) {
        Path made = directory.resolve(MAKING);
        storage.delete(made);
        try (StorageFile file = storage.create(made, access)
                        .orElseThrow(() -> new StorageException(made + ": a file of this name exists"));
                Arena arena = Arena.ofShared()) {
            file.allocate(BYTES, Allocation.ZEROS);
            file.write(encode(arena), 0);
            file.forceAll();
        }
        storage.rename(made, directory.resolve(NAME));
        storage.syncDirectory(directory);
    }

    private MemorySegment encode(Arena arena) {
        MemorySegment bytes = arena.allocate(BYTES, Long.BYTES);
        ByteBuffer out = fields(bytes);
        out.putLong(clockMillis).putLong(strings).putLong(names).putLong(records);
        out.putLong(turn).putLong(number).putLong(note.length).put(note);
        FileHeader.write(bytes, FORMAT, VERSION, BYTES, Features.NONE);
        return bytes;
    }
}
