package dev.larder.queue;

import dev.larder.codec.schema.LittleEndian;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.LarderException;
import dev.larder.memory.OnceOpen;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The progress of a copy, in {@code copy.place} of the receiving queue: a message of the source, and the sequences of
 * this message in both queues. It is written after the messages up to there were synced. The sequences of all other
 * messages differ by the same number.
 *
 * <pre>
 * 0        64                   80       144      208
 * | header | source's identity  | place  | place  |         written alternately, so that one is always complete
 *                               | counter | source position | source sequence | target sequence | check |
 * </pre>
 *
 * <p>The copying process holds byte 0 of the file, alone. It opens the file one time: where locks belong to the
 * process, closing a second descriptor would drop the lock ({@link OnceOpen}).
 */
final class CopyPlace implements AutoCloseable {

    /**
     * A message of the source.
     *
     * @param counter increases with every place
     * @param source the message's position in the source; 0 if it is the first message and was not copied yet
     * @param sourceSequence the message's sequence in the source
     * @param targetSequence the message's sequence in the copy
     */
    record Place(long counter, long source, long sourceSequence, long targetSequence) {

        private static final Place NONE = new Place(0, 0, 0, 0);

        /** Returns by how much the sequence of any message is greater in the source. */
        long ahead() {
            return sourceSequence - targetSequence;
        }
    }

    static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.paddingLayout(FileHeader.COMMON_BYTES),
                    word("source identity high"),
                    word("source identity low"),
                    place("place A"),
                    place("place B"))
            .withName("copy place");

    static final String FILE_NAME = "copy.place";

    private static final String PRIVATE_SUFFIX = ".tmp";
    private static final String FORMAT = "QCOPY";
    private static final int VERSION = 2;
    private static final int HEADER_BYTES = FileHeader.COMMON_BYTES + 16;
    private static final int PLACE_BYTES = 64;

    /** The offset of a place's check, which covers the bytes before it. */
    private static final int CHECK = 4 * Long.BYTES;

    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[PLACE_BYTES]).asReadOnly();
    private static final long IDENTITY = LAYOUT.byteOffset(PathElement.groupElement("source identity high"));
    private static final long PLACES = LAYOUT.byteOffset(PathElement.groupElement("place A"));

    private final Path path;
    private final StorageFile file;
    private final OnceOpen once;
    private final UUID identity;
    private Place place;

    private CopyPlace(Path path, StorageFile file, OnceOpen once, UUID identity, Place place) {
        this.path = path;
        this.file = file;
        this.once = once;
        this.identity = identity;
        this.place = place;
    }

    private static MemoryLayout word(String name) {
        return LittleEndian.LONG.withName(name);
    }

    private static MemoryLayout place(String name) {
        return MemoryLayout.structLayout(
                        word("counter"),
                        word("source position"),
                        word("source sequence"),
                        word("target sequence"),
                        word("check"),
                        MemoryLayout.paddingLayout(PLACE_BYTES - CHECK - Long.BYTES))
                .withName(name);
    }

    /**
     * Makes the file of a new copy, under a private name first, so that the file appears only when it is complete. An existing
     * file stays: the process that made it may hold its lock.
     */
    static void create(Path directory, UUID identity, LogOptions options) {
        Storage storage = HookedOptions.of(options).storage();
        Path made = directory.resolve(
                FILE_NAME + "-" + Long.toHexString(RandomGenerator.getDefault().nextLong()) + PRIVATE_SUFFIX);
        try {
            write(made, identity, storage, options.access().files());
            link(made, directory, storage);
        } finally {
            storage.delete(made);
        }
        storage.syncDirectory(directory);
    }

    private static void write(Path made, UUID identity, Storage storage, Access access) {
        try (StorageFile file = storage.create(made, access).orElseThrow();
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes = arena.allocate(LAYOUT.byteSize());
            bytes.set(LittleEndian.LONG, IDENTITY, identity.getMostSignificantBits());
            bytes.set(LittleEndian.LONG, IDENTITY + 8, identity.getLeastSignificantBits());
            FileHeader.write(bytes, FORMAT, VERSION, HEADER_BYTES, Features.NONE);
            file.allocate(LAYOUT.byteSize(), Allocation.ZEROS);
            file.write(bytes, 0);
            file.forceAll();
        }
    }

    private static void link(Path made, Path directory, Storage storage) {
        try {
            storage.link(made, directory.resolve(FILE_NAME));
        } catch (StorageException e) {
            if (!storage.list(directory).contains(FILE_NAME)) {
                throw e;
            } // another process was first, and removed our file as abandoned
        }
    }

    /** Removes files that a killed process left in {@link #create}. A live process whose file is removed finds ours. */
    private static void removeAbandoned(Path directory, Storage storage) {
        for (String name : storage.list(directory)) {
            if (name.startsWith(FILE_NAME) && name.endsWith(PRIVATE_SUFFIX)) {
                storage.delete(directory.resolve(name));
            }
        }
    }

    static boolean exists(Path directory, LogOptions options) {
        return HookedOptions.of(options).storage().list(directory).contains(FILE_NAME);
    }

    /**
     * Opens the file; empty if the queue is not a copy.
     *
     * @throws LarderException if a process copies into this queue already, this one included
     */
    static Optional<CopyPlace> open(Path directory, Storage storage) {
        Path path = directory.resolve(FILE_NAME);
        OnceOpen once = OnceOpen.enter("copy", storage.identity(directory))
                .orElseThrow(() -> new LarderException(path + ": this process copies into this queue already"));
        try {
            Optional<CopyPlace> opened = storage.open(path, true).map(file -> lock(directory, storage, file, once));
            if (opened.isEmpty()) {
                once.close();
            }
            return opened;
        } catch (RuntimeException | Error e) {
            once.close();
            throw e;
        }
    }

    private static CopyPlace lock(Path directory, Storage storage, StorageFile file, OnceOpen once) {
        Path path = directory.resolve(FILE_NAME);
        try {
            if (!file.tryLock(0)) {
                throw new LarderException(path + ": another process copies into this queue");
            }
            removeAbandoned(directory, storage);
            return read(path, file, once);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private static CopyPlace read(Path path, StorageFile file, OnceOpen once) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = file.map(0, LAYOUT.byteSize(), false, arena);
            FileHeader header = FileHeader.read(bytes, path, FORMAT, VERSION, Features.NONE, true);
            if (header.version() < VERSION) {
                throw new LarderException(
                        path + ": is of version " + header.version() + ", which has no sequences; this"
                                + " release needs version " + VERSION + ": copy into a new directory");
            }
            UUID identity =
                    new UUID(bytes.get(LittleEndian.LONG, IDENTITY), bytes.get(LittleEndian.LONG, IDENTITY + 8));
            Place first = place(bytes, 0);
            Place second = place(bytes, 1);
            boolean firstIsTorn =
                    isZero(bytes, 0); // the first place is written to the second half, and may be cut short
            if (first.counter() == 0 && second.counter() == 0 && !firstIsTorn) {
                throw new CorruptException(path + ": both stored positions of the copy, at offsets " + PLACES + " and "
                        + (PLACES + PLACE_BYTES) + ", are damaged: copy into a new directory");
            }
            return new CopyPlace(path, file, once, identity, first.counter() > second.counter() ? first : second);
        }
    }

    /** Returns whether a place is all zero: never written. */
    private static boolean isZero(MemorySegment bytes, int half) {
        long at = PLACES + (long) half * PLACE_BYTES;
        return MemorySegment.mismatch(bytes, at, at + PLACE_BYTES, ZEROS, 0, PLACE_BYTES) < 0;
    }

    private static Place place(MemorySegment bytes, int half) {
        long at = PLACES + (long) half * PLACE_BYTES;
        boolean sound = bytes.get(LittleEndian.LONG, at + CHECK) == check(bytes, at);
        return sound
                ? new Place(
                        bytes.get(LittleEndian.LONG, at),
                        bytes.get(LittleEndian.LONG, at + 8),
                        bytes.get(LittleEndian.LONG, at + 16),
                        bytes.get(LittleEndian.LONG, at + 24))
                : Place.NONE;
    }

    private static long check(MemorySegment bytes, long at) {
        return (1L << 32) | Integer.toUnsignedLong(Crc32c.of(bytes, at, CHECK));
    }

    UUID identity() {
        return identity;
    }

    /** Returns the last place; its counter is 0 if none was stored yet. */
    Place place() {
        return place;
    }

    /** Stores where the first message of a copy comes from, before it is copied. */
    void begin(long sourceSequence) {
        set(0, sourceSequence, 0);
    }

    /** Stores the place of a message that is in both queues. It must be durable in the copy. */
    void set(long source, long sourceSequence, long targetSequence) {
        Place next = new Place(place.counter() + 1, source, sourceSequence, targetSequence);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = arena.allocate(CHECK + Long.BYTES);
            bytes.set(LittleEndian.LONG, 0, next.counter());
            bytes.set(LittleEndian.LONG, 8, next.source());
            bytes.set(LittleEndian.LONG, 16, next.sourceSequence());
            bytes.set(LittleEndian.LONG, 24, next.targetSequence());
            bytes.set(LittleEndian.LONG, CHECK, check(bytes, 0));
            file.write(bytes, PLACES + (next.counter() & 1) * PLACE_BYTES);
            file.forceAll();
        }
        place = next;
    }

    @Override
    public void close() {
        try {
            file.close();
        } finally {
            once.close();
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
