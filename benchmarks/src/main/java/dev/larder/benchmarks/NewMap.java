package dev.larder.benchmarks;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import java.io.IOException;
import java.nio.file.Path;

/** An empty map in its own directory, never synced. Closing it deletes its files. */
final class NewMap implements AutoCloseable {

    final LarderMap<Long, byte[]> map;
    private final Path directory = QueueFiles.create();

    NewMap() throws IOException {
        map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                LogOptions.defaults().withSync(SyncPolicy.none()));
    }

    /** Puts an entry for each number from 0 on. */
    void fill(int entries, byte[] value) {
        for (long key = 0; key < entries; key++) {
            map.set(key, value);
        }
    }

    @Override
    public void close() throws IOException {
        map.close();
        QueueFiles.delete(directory);
    }
}
