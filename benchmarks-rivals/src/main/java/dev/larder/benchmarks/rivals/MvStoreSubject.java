package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import java.nio.file.Path;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.OffHeapStore;
import org.jspecify.annotations.Nullable;

/** H2's MVStore under test: its chunks in direct memory, with its cache of pages on the heap. */
final class MvStoreSubject implements MapSubject {

    private static final int CACHE_MEBIBYTES = 128;

    private @Nullable MVStore store;
    private @Nullable MVMap<Long, byte[]> map;

    @Override
    public Figures open(Path directory, MapShape shape) {
        MVStore made = new MVStore.Builder()
                .fileStore(new OffHeapStore())
                .cacheSize(CACHE_MEBIBYTES)
                .open();
        store = made;
        map = made.openMap("lab");
        return new Figures()
                .put("store", "OffHeapStore")
                .put("cache_mib", CACHE_MEBIBYTES)
                .put("survives", "nothing");
    }

    @Override
    public void loaded() {
        OpenSubject.of(store).commit();
    }

    @Override
    public void put(long key, byte[] value) {
        OpenSubject.of(map).put(key, value.clone());
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
        OpenSubject.of(store).close();
    }
}
