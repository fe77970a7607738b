package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The bar for puts, not a map: it appends keys and values to a queue, and finds nothing. The queue keeps as many bytes as a
 * half full map, and reuses its files.
 */
final class LogSubject implements MapSubject {

    private static final long KEPT_MIN_BYTES = 64L << 20;

    private @Nullable LarderQueue queue;
    private ThreadLocal<Appender> appenders = ThreadLocal.withInitial(() -> queue().appender());

    /**
     * Returns the largest size of its files. A segment has at most a quarter of the kept bytes. One that is made ahead and two
     * spare ones come on top.
     */
    static long filesBytes(MapShape shape) {
        return keptBytes(shape) / 4 * 7;
    }

    private static long keptBytes(MapShape shape) {
        return Math.max(KEPT_MIN_BYTES, 2 * shape.bytes());
    }

    @Override
    public Figures open(Path directory, MapShape shape) {
        long kept = keptBytes(shape);
        queue = LarderQueue.open(
                directory,
                LogOptions.defaults()
                        .withSync(SyncPolicy.none())
                        .withRetention(retention -> retention.withBytes(kept)));
        appenders = ThreadLocal.withInitial(() -> queue().appender());
        return new Figures().put("options", "sync policy none; keeps " + kept + " bytes");
    }

    private LarderQueue queue() {
        return Require.present(queue, "it is not open");
    }

    @Override
    public boolean isMap() {
        return false;
    }

    @Override
    public void sync() {
        queue().sync();
    }

    @Override
    public void put(long key, byte[] value) {
        appenders.get().append(Long.BYTES + value.length, (segment, offset, length) -> {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, key);
            MemorySegment.copy(value, 0, segment, ValueLayout.JAVA_BYTE, offset + Long.BYTES, value.length);
        });
    }

    @Override
    public boolean get(long key, byte[] into) {
        throw new UnsupportedOperationException("a log finds no key");
    }

    @Override
    public boolean remove(long key) {
        throw new UnsupportedOperationException("a log finds no key");
    }

    @Override
    public void close() {
        if (queue != null) {
            queue.close();
            queue = null;
        }
    }
}
