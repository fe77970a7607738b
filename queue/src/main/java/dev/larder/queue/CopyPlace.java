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
 * The progress of a copy, in {@code copy.place} of the receiving queue: a message of the source, and the same message
 * in the copy. It is written after the messages up to there were synced. A walk from there finds the later ones.
 *
 * <pre>
 * 0        64                   80       144      208
 * | header | source's identity  | place  | place  |         written alternately, so that one is always complete
 *                               | counter | source position | target position | check |
 * </pre>
 *
 * <p>The copying process holds byte 0 of the file, alone. It opens the file one time: where locks belong to the
 * process, closing a second descriptor would drop the lock ({@link OnceOpen}).
 */
final class CopyPlace implements AutoCloseable {

    /**
     * A message that is in both queues.
     *
     * @param counter increases with every place
     * @param source the message's position in the source
     * @param target the message's position in the copy
     */
    record Place(long counter, long source, long target) {}

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
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = FileHeader.COMMON_BYTES + 16;
    private static final int PLACE_BYTES = 64;
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
                        word("target position"),
                        word("check"),
                        MemoryLayout.paddingLayout(PLACE_BYTES - 32))
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
            FileHeader.read(bytes, path, FORMAT, VERSION, Features.NONE, true);
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
        long check = (1L << 32) | Integer.toUnsignedLong(Crc32c.of(bytes, at, 24));
        boolean sound = bytes.get(LittleEndian.LONG, at + 24) == check;
        return sound
                ? new Place(
                        bytes.get(LittleEndian.LONG, at),
                        bytes.get(LittleEndian.LONG, at + 8),
                        bytes.get(LittleEndian.LONG, at + 16))
                : new Place(0, 0, 0);
    }

    UUID identity() {
        return identity;
    }

    /** Returns the last place; its counter is 0 if nothing was copied yet. */
    Place place() {
        return place;
    }

    /** Stores the place of a message that is in both queues. It must be durable in the copy. */
    void set(long source, long target) {
        Place next = new Place(place.counter() + 1, source, target);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = arena.allocate(32);
            bytes.set(LittleEndian.LONG, 0, next.counter());
            bytes.set(LittleEndian.LONG, 8, next.source());
            bytes.set(LittleEndian.LONG, 16, next.target());
            bytes.set(LittleEndian.LONG, 24, (1L << 32) | Integer.toUnsignedLong(Crc32c.of(bytes, 0, 24)));
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
