package dev.larder.memory.region;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;

/** The resource behind the bytes of a region, such as a file or a name. */
interface RegionBacking {

    /** No resource besides the bytes. */
    RegionBacking NONE = new RegionBacking() {};

    /** Returns what the system provided, for a kind with several variants. */
    default String description() {
        return "";
    }

    /** Makes a part of the region durable, as far as its kind can be. */
    default void force(MemorySegment part) {}

    /** Called after bytes were read from a channel. */
    default void received(MemorySegment part) {}

    /** Writes a part, which begins at an offset, into a channel. Returns how many bytes the channel took. */
    default long transferTo(MemorySegment part, long offset, WritableByteChannel target) throws IOException {
        return RegionChannels.write(part, target);
    }

    /** Removes the name; false if there is none. */
    default boolean delete() {
        return false;
    }

    /** Releases the resource, after the bytes were unmapped. */
    default void close() {}
}
