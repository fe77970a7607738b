package dev.larder.memory.region;

import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageException;
import dev.larder.memory.UnsupportedRegionException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of one {@link RegionKind}, by offsets from 0. Numbers are little-endian and may stand at any offset.
 *
 * <pre>{@code
 *  0        4                12                                 size
 *  | int 4  | long 8          | ...                              |
 *  putInt(0, i)  putLong(4, l)
 * }</pre>
 *
 * <p>Threads and processes may access a region at once. The region does not order their accesses; a caller that needs order
 * uses {@link #segment} and a {@code VarHandle}, with any kind but {@code HEAP}: an array of bytes has no aligned numbers. A
 * thread may close the region while others access it: they get a {@link ClosedException}, and never the bytes of another owner.
 *
 * <p>An access outside the region is an {@link IndexOutOfBoundsException} with the offset, the length and the size. An access
 * to a file that another program has truncated raises {@link InternalError} ({@link AccessErrors}).
 */
public final class Region extends TypedBytes implements AutoCloseable {

    private static final MemorySegment CLOSED = closedSegment();
    private static final long CHANNEL_PAUSE_NANOS = 100_000;

    private final RegionKind kind;
    private final String name;
    private final long sizeBytes;
    private final RegionBacking backing;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Arena own; // set before any other thread sees the region

    Region(RegionKind kind, String name, MemorySegment bytes, RegionBacking backing) {
        super(bytes);
        this.kind = kind;
        this.name = name;
        this.sizeBytes = bytes.byteSize();
        this.backing = backing;
    }

    private static MemorySegment closedSegment() {
        try (Arena ended = Arena.ofShared()) {
            return ended.allocate(1);
        }
    }

    /**
     * Creates a region of zeros without a name: {@code HEAP}, {@code DIRECT} or {@code HUGE_PAGES}.
     *
     * @throws UnsupportedRegionException if this machine or this JVM has none of the kind
     */
    public static Region create(RegionKind kind, long bytes) {
        return kind == RegionKind.HEAP
                ? create(kind, bytes, Arena.global())
                : owning(arena -> create(kind, bytes, arena));
    }

    /**
     * Creates a region as {@link #create(RegionKind, long)} does. Its bytes are given back when an arena closes, together with
     * everything else in it. Giving back many regions in this way takes one pause of the threads, not one each.
     *
     * @param arena shared, automatic or global; a heap region has nothing to give back, and stays until it is closed
     */
    public static Region create(RegionKind kind, long bytes, Arena arena) {
        kind.requireSize(bytes);
        kind.requireAvailable();
        if (kind.source() instanceof UnnamedSource source) {
            return source.create(bytes, arena);
        }
        throw new IllegalArgumentException("a " + kind.words() + " has a name: create(" + kind + ", name, bytes)");
    }

    /**
     * Creates a region of zeros with a name, for its owner alone (mode 0600); the name must be free.
     *
     * @throws UnsupportedRegionException if this machine or this JVM has none of the kind
     * @throws DiskFullException if there is no room for it; nothing is left behind then
     * @throws StorageException if the name is taken, or the system refuses
     */
    public static Region create(RegionKind kind, String name, long bytes) {
        return owning(arena -> create(kind, name, bytes, arena));
    }

    /**
     * Creates a region as {@link #create(RegionKind, String, long)} does. Its bytes are given back when an arena closes,
     * together with everything else in it.
     *
     * @param arena shared, automatic or global
     */
    public static Region create(RegionKind kind, String name, long bytes, Arena arena) {
        kind.requireSize(bytes);
        kind.requireAvailable();
        return kind.source().create(name, bytes, arena);
    }

    /**
     * Attaches to a region that another process has created and has not deleted.
     *
     * @throws StorageException if there is none, or its creator has not given it its size yet
     */
    public static Region attach(RegionKind kind, String name) {
        return owning(arena -> attach(kind, name, arena));
    }

    /**
     * Attaches as {@link #attach(RegionKind, String)} does, until an arena closes.
     *
     * @param arena shared, automatic or global
     */
    public static Region attach(RegionKind kind, String name, Arena arena) {
        kind.requireAvailable();
        return kind.source().attach(name, arena);
    }

    /** Makes a region with its own arena, which closes with it. */
    static Region owning(Function<Arena, Region> make) {
        Arena arena = Arena.ofShared();
        try {
            Region region = make.apply(arena);
            region.own = arena;
            return region;
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** Removes a name; false if there is none. Attached processes keep the bytes, which go when the last one detaches. */
    public static boolean delete(RegionKind kind, String name) {
        kind.requireAvailable();
        return kind.source().delete(name);
    }

    /** Returns the kind. */
    public RegionKind kind() {
        return kind;
    }

    /** Returns the name; empty if the kind has none. */
    public String name() {
        return name;
    }

    /** Returns the size in bytes, after closing too. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Returns what the system provided, for a kind with several variants ({@code HUGE_PAGES}); else empty. */
    public String description() {
        return backing.description();
    }

    /** Returns the bytes themselves; any access to them after closing is an {@link IllegalStateException}. */
    public MemorySegment segment() {
        requireOpen();
        return bytes;
    }

    /**
     * Writes bytes into a channel: all of them, or as many as a non-blocking channel takes. Nothing is copied through the heap,
     * unless the region lies there. The system transfers a mapped file directly from the file.
     *
     * @return the bytes written
     */
    public long transferTo(long offset, long length, WritableByteChannel target) throws IOException {
        MemorySegment part = part(offset, length);
        try {
            return backing.transferTo(part, offset, target);
        } catch (IllegalStateException e) {
            throw refused(e, offset, length);
        }
    }

    /**
     * Reads bytes from a channel: all that were requested, or fewer at the channel's end or if a non-blocking channel has
     * fewer. Nothing is copied through the heap, unless the region lies there.
     *
     * @return the bytes read; 0 at the channel's end
     */
    public long transferFrom(long offset, long length, ReadableByteChannel source) throws IOException {
        MemorySegment part = part(offset, length);
        try {
            long read = RegionChannels.read(part, source);
            backing.received(part.asSlice(0, read));
            return read;
        } catch (IllegalStateException e) {
            throw refused(e, offset, length);
        }
    }

    /** Makes a mapped file durable. Does nothing for the other kinds, which cannot be made more durable. */
    public void force() {
        force(0, sizeBytes);
    }

    /** Makes some bytes of a mapped file durable. */
    public void force(long offset, long length) {
        MemorySegment part = part(offset, length);
        try {
            backing.force(part);
        } catch (IllegalStateException e) {
            throw refused(e, offset, length);
        }
    }

    /**
     * Removes the name, so that no process can attach any longer; false if the name is gone, or the kind has none. The bytes
     * stay until this region and all other attached regions are closed.
     */
    public boolean delete() {
        requireOpen();
        return backing.delete();
    }

    /**
     * Gives the bytes back. A named region stays until it is deleted. Waits for channels that are working on the bytes. Closing
     * again does nothing. A region in a caller's arena gives its bytes back with the arena, but a mapped file that was created
     * or attached whole is closed here.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            boolean isArray = !bytes.isNative();
            bytes = CLOSED;
            if (own != null) {
                close(own);
            }
            if (isArray) {
                endLoops();
            }
            backing.close();
        }
    }

    /**
     * Lets compiled loops over an array read {@link #bytes} anew: the JVM may have moved that read out of the loop. No arena of
     * the array tells them that it is closed. Closing any shared arena makes the JVM leave the compiled code of each loop that
     * accesses memory. To read the field anew at each access would cost a loop over longs five times its time.
     */
    private static void endLoops() {
        Arena.ofShared().close();
    }

    private static void close(Arena arena) {
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException e) { // a channel holds it
                LockSupport.parkNanos(CHANNEL_PAUSE_NANOS);
            }
        }
    }

    @Override
    public String toString() {
        return kind.words() + (name.isEmpty() ? "" : " " + name) + " of " + sizeBytes + " bytes";
    }

    @Override
    void requireOpen() {
        if (!bytes.scope().isAlive()) {
            throw new ClosedException(this + ": it is closed");
        }
    }

    @Override
    RuntimeException refused(RuntimeException cause, long offset, long length) {
        if (!bytes.scope().isAlive()) {
            return new ClosedException(this + ": cannot access " + length + " bytes at " + offset + ": it is closed");
        }
        return cause instanceof IndexOutOfBoundsException
                ? new IndexOutOfBoundsException(this + ": " + length + " bytes at " + offset + " are not within it")
                : cause;
    }
}
