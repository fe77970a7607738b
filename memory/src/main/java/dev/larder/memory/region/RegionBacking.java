package dev.larder.memory.region;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;

/** What stands behind the bytes of a region, beyond the bytes themselves. */
interface RegionBacking {

    /** Bytes and nothing else. */
    RegionBacking NONE = new RegionBacking() {};

    /** Returns what was got, where a kind has several ways. */
    default String description() {
        return "";
    }

    /** Makes a part of the region durable, as far as its kind can be. */
    default void force(MemorySegment part) {}

    /** Says that bytes came from a channel. */
    default void received(MemorySegment part) {}

    /** Moves a part, which begins at an offset, into a channel; returns the bytes that it took. */
    default long transferTo(MemorySegment part, long offset, WritableByteChannel target) throws IOException {
        return RegionChannels.write(part, target);
    }

    /** Removes the name; false where there is none. */
    default boolean delete() {
        return false;
    }

    /** Lets go, after the bytes were unmapped. */
    default void close() {}
}
