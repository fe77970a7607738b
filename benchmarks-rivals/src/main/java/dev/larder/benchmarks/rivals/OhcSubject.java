package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import dev.larder.lab.map.MapValue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.DirectValueAccess;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;
import org.jspecify.annotations.Nullable;

/** OHC under test: entries in memory from malloc, with an LRU list. Reads use its direct access, which copies nothing. */
final class OhcSubject implements MapSubject {

    private static final int SEGMENTS = 16;
    private static final long ENTRY_BYTES = 200;
    private static final long ROOM_BYTES = 256L << 20;
    private static final int TABLE_MIN = 8192;

    private @Nullable OHCache<Long, byte[]> cache;

    @Override
    public Figures open(Path directory, MapShape shape) {
        long capacity = 2 * shape.mostBytes() + shape.mostEntries() * ENTRY_BYTES + ROOM_BYTES;
        long buckets = Math.max(TABLE_MIN, Long.highestOneBit(2 * shape.mostEntries() / SEGMENTS));
        cache = OHCacheBuilder.<Long, byte[]>newBuilder()
                .keySerializer(new KeySerializer())
                .valueSerializer(new ValueSerializer())
                .capacity(capacity)
                .segmentCount(SEGMENTS)
                .hashTableSize((int) Math.min(1 << 27, buckets))
                .throwOOME(true)
                .build();
        return new Figures()
                .put("capacity_bytes", capacity)
                .put("buckets", buckets + " x " + SEGMENTS)
                .put("eviction", "LRU, its default; the capacity is never reached")
                .put("survives", "nothing");
    }

    @Override
    public void put(long key, byte[] value) {
        OpenSubject.of(cache).put(key, value);
    }

    @Override
    public boolean get(long key, byte[] into) throws IOException {
        try (DirectValueAccess value = OpenSubject.of(cache).getDirect(key)) {
            if (value == null) {
                return false;
            }
            value.buffer().get(into);
            return true;
        }
    }

    @Override
    public boolean remove(long key) {
        return OpenSubject.of(cache).remove(key);
    }

    @Override
    public boolean readsInPlace() {
        return true;
    }

    @Override
    public long sum(long key) throws IOException {
        try (DirectValueAccess value = OpenSubject.of(cache).getDirect(key)) {
            return value == null ? 0 : sum(value.buffer());
        }
    }

    private static long sum(ByteBuffer value) {
        return MapValue.sum(MemorySegment.ofBuffer(value), 0, value.remaining());
    }

    @Override
    public void close() throws IOException {
        OpenSubject.of(cache).close();
    }

    private static final class KeySerializer implements CacheSerializer<Long> {

        @Override
        public void serialize(Long key, ByteBuffer target) {
            target.putLong(key);
        }

        @Override
        public Long deserialize(ByteBuffer source) {
            return source.getLong();
        }

        @Override
        public int serializedSize(Long key) {
            return Long.BYTES;
        }
    }

    private static final class ValueSerializer implements CacheSerializer<byte[]> {

        @Override
        public void serialize(byte[] value, ByteBuffer target) {
            target.put(value);
        }

        @Override
        public byte[] deserialize(ByteBuffer source) {
            byte[] value = new byte[source.remaining()];
            source.get(value);
            return value;
        }

        @Override
        public int serializedSize(byte[] value) {
            return value.length;
        }
    }
}
