package dev.larder.server.store;

import dev.larder.codec.ValueCodec;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSnapshot;
import dev.larder.server.stream.StreamEnds;
import dev.larder.server.stream.StreamsMoment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store at a moment, which can be written to another folder while clients change the store. Until it is closed, it uses the
 * memory of a copy of the index, and keeps the records of that moment on the disk.
 */
public final class StoreMoment implements AutoCloseable {

    private static final int STEPS = 1 << 10;

    private final StoreOptions options;
    private final MapSnapshot<Bytes, Bytes> strings;
    private final @Nullable MapSnapshot<Bytes, Bytes> names;
    private final @Nullable StreamsMoment streams;
    private int step;

    private StoreMoment(
            StoreOptions options,
            MapSnapshot<Bytes, Bytes> strings,
            @Nullable MapSnapshot<Bytes, Bytes> names,
            @Nullable StreamsMoment streams) {
        this.options = options;
        this.strings = strings;
        this.names = names;
        this.streams = streams;
    }

    static StoreMoment of(
            StoreOptions options, MapSnapshot<Bytes, Bytes> strings, @Nullable StreamNames streams, StreamEnds ends) {
        @Nullable MapSnapshot<Bytes, Bytes> names = null;
        try {
            names = streams == null ? null : streams.snapshot();
            return new StoreMoment(
                    options,
                    strings,
                    names,
                    streams == null ? null : streams.folder().moment(ends));
        } catch (RuntimeException | Error e) {
            MapSnapshot<Bytes, Bytes> made = names;
            try (strings;
                    made) {
                throw e;
            }
        }
    }

    /**
     * Writes the store to a folder in the form that {@link Store#open} reads, and makes it durable.
     *
     * @param each called from time to time; an exception from it ends the write
     */
    public void writeTo(Path directory, Runnable each) {
        Runnable sometimes = () -> {
            if (++step % STEPS == 0) {
                each.run();
            }
        };
        try (LarderMap<Bytes, Bytes> to = open(directory.resolve(Store.STRINGS), options.segmentBytes())) {
            copy(strings, to, sometimes);
            to.sync();
        }
        if (names != null && streams != null) {
            writeStreams(directory.resolve(Store.STREAMS), names, streams, sometimes);
        }
    }

    private LarderMap<Bytes, Bytes> open(Path directory, long segmentBytes) {
        return LarderMap.open(directory, BytesCodec.INSTANCE, BytesCodec.INSTANCE, map(segmentBytes));
    }

    private MapOptions map(long segmentBytes) {
        return MapOptions.defaults()
                .withLog(options.log().withSync(SyncPolicy.none()).withLargestSegmentBytes(segmentBytes))
                .withTime(options.time())
                .withCounted(true);
    }

    private void copy(MapSnapshot<Bytes, Bytes> from, LarderMap<Bytes, Bytes> to, Runnable each) {
        for (Map.Entry<Bytes, Bytes> entry : from) {
            Optional<Instant> expiry = from.expiry(entry.getKey());
            if (expiry.isEmpty()) {
                to.set(entry.getKey(), entry.getValue());
            } else if (expiry.get().isAfter(options.clock().instant())) {
                to.set(entry.getKey(), entry.getValue(), expiry.get());
            }
            each.run();
        }
    }

    private void writeStreams(Path directory, MapSnapshot<Bytes, Bytes> keys, StreamsMoment moment, Runnable each) {
        long segmentBytes = Math.min(StreamNames.SEGMENT_BYTES, options.segmentBytes());
        Set<Long> numbers = new HashSet<>();
        try (LarderMap<Bytes, Bytes> to = open(directory.resolve(StreamNames.NAMES), segmentBytes);
                LarderMap<byte[], byte[]> records = LarderMap.open(
                        directory.resolve(StreamNames.RECORDS),
                        ValueCodec.bytes(),
                        ValueCodec.bytes(),
                        map(segmentBytes))) {
            copy(keys, to, each);
            keys.forEach(entry -> numbers.add(StreamNames.numberOf(entry.getValue())));
            moment.writeTo(directory, records, numbers, each);
            to.sync();
        }
    }

    @Override
    public void close() {
        try (strings;
                names;
                streams) {
            step = 0;
        }
    }
}
