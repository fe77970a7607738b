package dev.larder.lab.map;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.codec.ValueCodec;
import dev.larder.lab.result.Require;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.Lifetime;
import dev.larder.map.MapLoader;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSpace;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A LarderMap: a get copies the value from its place into the caller's array, a put is {@link LarderMap#set}, a load uses
 * a {@link MapLoader}.
 */
final class LarderSubject implements MapSubject {

    private static final MapOptions DEFAULTS =
            MapOptions.defaults().withLog(LogOptions.defaults().withSync(SyncPolicy.none()));
    private static final Duration LIFETIME = Duration.ofDays(1);
    private static final double TIGHT_FACTOR = 1.25;
    private static final long CACHE_FACTOR = 2;
    private static final long CACHE_MIN_BYTES = 1L << 30;

    private final Function<MapShape, Cleaning> cleaning;
    private final Lifetime lifetime;
    private @Nullable LarderMap<Long, byte[]> map;
    private @Nullable MapLoader<Long, byte[]> loader;

    private LarderSubject(Function<MapShape, Cleaning> cleaning, Lifetime lifetime) {
        this.cleaning = cleaning;
        this.lifetime = lifetime;
    }

    /** A map that keeps everything. */
    static LarderSubject keeping() {
        return new LarderSubject(shape -> Cleaning.defaults(), Lifetime.endless());
    }

    /** A map that keeps everything, in files that are four fifths live. */
    static LarderSubject tight() {
        return new LarderSubject(shape -> Cleaning.defaults().withSpaceFactor(TIGHT_FACTOR), Lifetime.endless());
    }

    /** A map that evicts and expires, large enough for all its entries, like the caches beside it. */
    static LarderSubject evicting() {
        return new LarderSubject(
                shape -> Cleaning.evicting(CACHE_FACTOR * shape.mostBytes() + CACHE_MIN_BYTES),
                Lifetime.sinceWrite(LIFETIME));
    }

    @Override
    public Figures open(Path directory, MapShape shape) {
        Cleaning way = cleaning.apply(shape);
        MapOptions options = DEFAULTS.withCleaning(way).withLifetime(lifetime);
        map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options);
        return new Figures()
                .put("options", "sync policy none; " + words(way))
                .put("survives", "the process; the machine after sync, which follows the load");
    }

    private static String words(Cleaning way) {
        return "space factor " + way.spaceFactor()
                + (way.evicts()
                        ? ", evicts above " + ByteSize.format(way.maxBytes().orElseThrow()) + ", expires after "
                                + LIFETIME.toHours() + " h"
                        : ", keeps everything");
    }

    @Override
    public Figures space() {
        MapSpace space = map().info().space();
        return new Figures()
                .put("live_bytes", space.liveBytes())
                .put("used_bytes", space.liveBytes() + space.deadBytes())
                .put("file_bytes", space.fileBytes())
                .put("carried_bytes", space.carriedBytes());
    }

    @Override
    public void load(long key, byte[] value) {
        MapLoader<Long, byte[]> loading = loader == null ? map().loader() : loader;
        loader = loading;
        loading.put(key, value);
    }

    private LarderMap<Long, byte[]> map() {
        return Require.present(map, "it is not open");
    }

    @Override
    public void loaded() {
        if (loader != null) {
            loader.close();
            loader = null;
        }
    }

    @Override
    public void sync() {
        map().sync();
    }

    @Override
    public void put(long key, byte[] value) {
        map().set(key, value);
    }

    @Override
    public boolean get(long key, byte[] into) {
        return map().get(key, MemorySegment.ofArray(into), 0) >= 0;
    }

    @Override
    public boolean remove(long key) {
        return map().remove((Object) key) != null;
    }

    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) {
        long[] sum = new long[1];
        map().read(key, (segment, offset, length) -> sum[0] = MapValue.sum(segment, offset, length));
        return sum[0];
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() {
        if (map != null) {
            map.close();
            map = null;
        }
    }
}
