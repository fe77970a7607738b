package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map on the heap: a put keeps a copy of the array, a get copies it. */
public final class HashMapSubject implements MapSubject {

    private final Function<MapShape, ConcurrentMap<Long, byte[]>> maker;
    private final String words;
    private @Nullable ConcurrentMap<Long, byte[]> map;

    /** A map made for a shape, described by words. */
    public HashMapSubject(Function<MapShape, ConcurrentMap<Long, byte[]>> maker, String words) {
        this.maker = maker;
        this.words = words;
    }

    @Override
    public Figures open(Path directory, MapShape shape) {
        map = maker.apply(shape);
        return new Figures().put("map", words).put("survives", "nothing: it is on the heap");
    }

    private ConcurrentMap<Long, byte[]> map() {
        return Require.present(map, "it is not open");
    }

    @Override
    public void put(long key, byte[] value) {
        map().put(key, value.clone());
    }

    @Override
    public boolean get(long key, byte[] into) {
        byte[] value = map().get(key);
        if (value == null) {
            return false;
        }
        System.arraycopy(value, 0, into, 0, into.length);
        return true;
    }

    @Override
    public boolean remove(long key) {
        return map().remove(key) != null;
    }

    /** The array is on the heap. */
    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) {
        byte[] value = map().get(key);
        return value == null ? 0 : MapValue.sum(value);
    }

    @Override
    public void close() {
        map = null;
    }
}
