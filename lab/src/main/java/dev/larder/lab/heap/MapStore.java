package dev.larder.lab.heap;

import java.util.Arrays;
import java.util.concurrent.ConcurrentMap;

/** Values as arrays in a map on the heap. A put leaves the replaced array to the collector. */
public final class MapStore implements ValueStore {

    private final ConcurrentMap<Long, byte[]> map;

    /** A store in a map. */
    public MapStore(ConcurrentMap<Long, byte[]> map) {
        this.map = map;
    }

    @Override
    public void put(long key, byte[] bytes) {
        map.put(key, Arrays.copyOf(bytes, Value.BYTES));
    }

    @Override
    public boolean get(long key, byte[] into) {
        byte[] value = map.get(key);
        if (value == null) {
            return false;
        }
        System.arraycopy(value, 0, into, 0, Value.BYTES);
        return true;
    }
}
