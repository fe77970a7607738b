package dev.larder.lab.heap;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.ValueCodec;
import dev.larder.map.LarderMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Values in a LarderMap: files that are mapped into memory, with an index. A put appends; what it replaces keeps its place
 * in the files until the cleaner has passed it.
 */
final class LarderValueStore implements ValueStore {

    private final LarderMap<Long, byte[]> map;

    /** A map in a directory; it ends with its process. */
    LarderValueStore(Path directory) {
        map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                LogOptions.defaults().withSync(SyncPolicy.none()));
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
}
