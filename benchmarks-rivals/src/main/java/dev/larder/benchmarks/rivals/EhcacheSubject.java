package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import java.nio.file.Path;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.jspecify.annotations.Nullable;

/** Ehcache under test: only its off-heap tier, in a pool twice as large as its entries. In a smaller pool it loses entries. */
final class EhcacheSubject implements MapSubject {

    private static final String NAME = "lab";
    private static final long ENTRY_BYTES = 150;
    private static final long POOL_MIN_MEBIBYTES = 64;

    private @Nullable CacheManager manager;
    private @Nullable Cache<Long, byte[]> cache;

    @Override
    public Figures open(Path directory, MapShape shape) {
        long pool = Math.max(POOL_MIN_MEBIBYTES, (2 * (shape.mostBytes() + shape.mostEntries() * ENTRY_BYTES)) >> 20);
        CacheManager made = CacheManagerBuilder.newCacheManagerBuilder()
                .withCache(
                        NAME,
                        CacheConfigurationBuilder.newCacheConfigurationBuilder(
                                Long.class,
                                byte[].class,
                                ResourcePoolsBuilder.newResourcePoolsBuilder().offheap(pool, MemoryUnit.MB)))
                .build(true);
        manager = made;
        cache = made.getCache(NAME, Long.class, byte[].class);
        return new Figures().put("off_heap_pool_mib", pool).put("survives", "nothing");
    }

    @Override
    public void put(long key, byte[] value) {
        OpenSubject.of(cache).put(key, value);
    }

    @Override
    public boolean get(long key, byte[] into) {
        byte[] value = OpenSubject.of(cache).get(key);
        if (value == null) {
            return false;
        }
        System.arraycopy(value, 0, into, 0, into.length);
        return true;
    }

    /** Looks the key up first, because the removal does not return whether it was there. */
    @Override
    public boolean remove(long key) {
        boolean there = OpenSubject.of(cache).containsKey(key);
        OpenSubject.of(cache).remove(key);
        return there;
    }

    @Override
    public void close() {
        OpenSubject.of(manager).close();
    }
}
