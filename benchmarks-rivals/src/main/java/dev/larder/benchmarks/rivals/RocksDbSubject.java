package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.map.MapShape;
import dev.larder.lab.map.MapSubject;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB under test: a key filter, no compression, a cache of twice its contents. A load bypasses its log. */
final class RocksDbSubject implements MapSubject {

    private static final int FILTER_BITS = 10;
    private static final long CACHE_MIN_BYTES = 64L << 20;

    private @Nullable RocksDB database;
    private @Nullable Options options;
    private @Nullable WriteOptions loading;

    @Override
    public Figures open(Path directory, MapShape shape) throws RocksDBException {
        long cache = Math.max(CACHE_MIN_BYTES, 2 * shape.mostBytes());
        RocksDB.loadLibrary();
        options = new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setFilterPolicy(new BloomFilter(FILTER_BITS))
                        .setBlockCache(new LRUCache(cache)));
        loading = new WriteOptions().setDisableWAL(true);
        database = RocksDB.open(options, directory.toString());
        return new Figures()
                .put("options", "Bloom filter of 10 bits a key, no compression")
                .put("block_cache_bytes", cache)
                .put("load", "without its log, then flushed and compacted")
                .put("survives", "the process, by its log, not synced");
    }

    private static byte[] key(long key) {
        return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    }

    @Override
    public void load(long key, byte[] value) throws RocksDBException {
        OpenSubject.of(database).put(OpenSubject.of(loading), key(key), value);
    }

    @Override
    public void loaded() throws RocksDBException {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            OpenSubject.of(database).flush(flush);
            OpenSubject.of(database).compactRange();
        }
    }

    @Override
    public void put(long key, byte[] value) throws RocksDBException {
        OpenSubject.of(database).put(key(key), value);
    }

    @Override
    public boolean get(long key, byte[] into) throws RocksDBException {
        return OpenSubject.of(database).get(key(key), into) != RocksDB.NOT_FOUND;
    }

    /** Looks the key up first, because the removal does not return whether it was there. */
    @Override
    public boolean remove(long key) throws RocksDBException {
        byte[] bytes = key(key);
        boolean there = OpenSubject.of(database).get(bytes) != null;
        OpenSubject.of(database).delete(bytes);
        return there;
    }

    @Override
    public boolean isPersistent() {
        return true;
    }

    @Override
    public void close() {
        OpenSubject.of(database).close();
        OpenSubject.of(options).close();
        OpenSubject.of(loading).close();
    }
}
