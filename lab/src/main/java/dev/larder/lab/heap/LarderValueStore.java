package dev.larder.lab.heap;

import dev.larder.codec.ValueCodec;
import dev.larder.lab.machine.UnmappedFiles;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Values in a temporary LarderMap. A put appends; the replaced value takes space in the files until the cleaner has
 * passed it.
 */
final class LarderValueStore implements ValueStore {

    /** The bytes of files per live byte; low, as this experiment counts memory. */
    static final double SPACE_FACTOR = 1.15;

    private final Path folder;
    private final LarderMap<Long, byte[]> map;

    /** A map in a folder; it ends with its process. */
    LarderValueStore(Path folder) {
        this.folder = folder;
        map = LarderMap.temporary(
                folder,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withCleaning(Cleaning.defaults().withSpaceFactor(SPACE_FACTOR)));
    }

    @Override
    public void put(long key, byte[] bytes) {
        map.set(key, bytes);
    }

    @Override
    public boolean get(long key, byte[] into) {
        return map.read(
                key,
                (segment, offset, length) ->
                        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, into, 0, length));
    }

    @Override
    public long unmappedBytes() {
        return UnmappedFiles.bytes(folder);
    }
}
