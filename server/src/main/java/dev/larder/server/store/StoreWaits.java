package dev.larder.server.store;

import dev.larder.map.LarderMap;
import java.util.function.Supplier;

/** Lets a thread that must not block find out what calls on a store would wait for: room, or the disk. */
public final class StoreWaits {

    private final LarderMap<Bytes, Bytes> strings;
    private final LazyStreams streams;

    StoreWaits(LarderMap<Bytes, Bytes> strings, LazyStreams streams) {
        this.strings = strings;
        this.streams = streams;
    }

    /**
     * Runs calls that do not wait for the disk to read a record.
     *
     * @throws dev.larder.log.NotInMemoryException if a call would have to wait; it has changed nothing
     */
    public <T> T withoutReading(Supplier<T> calls) {
        return strings.withoutReading(calls);
    }

    /**
     * Runs calls that do not wait for room.
     *
     * @throws dev.larder.map.NoRoomYetException if a call would have to wait; it has changed nothing
     */
    public <T> T withoutWaiting(Supplier<T> calls) {
        return strings.withoutWaiting(calls);
    }

    /** Returns whether reading a key may have to wait for the disk, as far as is known. */
    public boolean arePagesMissing() {
        StreamNames names = streams.ifOpen();
        return strings.arePagesMissing() || (names != null && names.arePagesMissing());
    }

    /** Returns whether reading a stream may have to wait for the disk, as far as is known. */
    public boolean mayStreamsWait() {
        StreamNames names = streams.ifOpen();
        return names != null && names.folder().mayWait();
    }

    /** Returns whether there was ever a stream. */
    public boolean hasStreams() {
        return streams.ifOpen() != null;
    }

    /** Loads the value of a key into memory; for a stream, its name. */
    public void bringIn(Bytes key) {
        strings.read(key, (segment, offset, length) -> {});
        StreamNames names = streams.ifOpen();
        if (names != null) {
            names.bringIn(key);
        }
    }

    /**
     * Waits until there is room for a put, or for a removal.
     *
     * @throws dev.larder.memory.DiskFullException if there will be no room
     */
    public void awaitRoom(boolean removal) {
        strings.awaitRoom(removal);
    }
}
