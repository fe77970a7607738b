package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** MapDB under test: a hash map in direct memory. */
final class MapDbSubject implements MapSubject {

    private @Nullable DB database;
    private @Nullable ConcurrentMap<Long, byte[]> map;

    @Override
    public Figures open(Path directory, MapShape shape) {
        DB made = DBMaker.memoryDirectDB().make();
        database = made;
        map = made.hashMap("lab", Serializer.LONG, Serializer.BYTE_ARRAY).create();
        return new Figures().put("store", "memoryDirectDB, hashMap").put("survives", "nothing");
    }

    @Override
    public void put(long key, byte[] value) {
        OpenSubject.of(map).put(key, value);
    }

    @Override
    public boolean get(long key, byte[] into) {
        byte[] value = OpenSubject.of(map).get(key);
        if (value == null) {
            return false;
        }
        System.arraycopy(value, 0, into, 0, into.length);
        return true;
    }

    @Override
    public boolean remove(long key) {
        return OpenSubject.of(map).remove(key) != null;
    }

    @Override
    public void close() {
        OpenSubject.of(database).close();
    }
}
