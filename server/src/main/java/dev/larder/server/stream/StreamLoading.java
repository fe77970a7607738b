package dev.larder.server.stream;

import dev.larder.memory.DiskFullException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The loading of streams at a start: it loads groups, then consumers, then pending entries. It removes the records that belong
 * to nothing any more, as a crash leaves them.
 */
final class StreamLoading {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final StreamRecords records;
    private final LongFunction<@Nullable Stream> streams;
    private final LongConsumer numbers;
    private final List<byte[]> left = new ArrayList<>();

    StreamLoading(StreamRecords records, LongFunction<@Nullable Stream> streams, LongConsumer numbers) {
        this.records = records;
        this.streams = streams;
        this.numbers = numbers;
    }

    void run() {
        List<byte[]> consumers = new ArrayList<>();
        List<byte[]> pending = new ArrayList<>();
        records.forEachKey(key -> {
            long number = StreamRecords.stream(key);
            numbers.accept(number);
            Stream stream = streams.apply(number);
            if (stream == null) {
                left.add(key);
            } else if (StreamRecords.kind(key) == StreamRecords.CONSUMER) {
                consumers.add(key);
            } else if (StreamRecords.kind(key) == StreamRecords.PENDING) {
                pending.add(key);
            } else {
                load(stream, key);
            }
        });
        consumers.forEach(this::loadConsumer);
        pending.forEach(this::loadPending);
        removeLeft();
    }

    /** Removes what belongs to nothing. A full disk does not keep the server from starting: a later start removes the rest. */
    private void removeLeft() {
        try {
            left.forEach(records::remove);
        } catch (DiskFullException e) {
            LOGGER.log(System.Logger.Level.WARNING, "records that belong to no stream stay: " + e.getMessage());
        }
    }

    private byte[] value(byte[] key) {
        return Objects.requireNonNull(records.get(key), "a record that was there is gone");
    }

    private void load(Stream stream, byte[] key) {
        switch (StreamRecords.kind(key)) {
            case StreamRecords.HEAD -> stream.load(StreamHead.decode(value(key)));
            case StreamRecords.DELETED ->
                stream.deleted().load(StreamRecords.rest(key).getLong(), value(key));
            case StreamRecords.GROUP ->
                stream.groups().load(StreamRecords.rest(key).getInt(), ByteBuffer.wrap(value(key)));
            case StreamRecords.PRODUCTION -> stream.producers().loadOptions(ByteBuffer.wrap(value(key)));
            case StreamRecords.PRODUCER ->
                stream.producers().load(StreamRecords.rest(key), ByteBuffer.wrap(value(key)));
            default -> left.add(key);
        }
    }

    private @Nullable Group group(byte[] key, int number) {
        return Objects.requireNonNull(streams.apply(StreamRecords.stream(key)))
                .groups()
                .numbered(number);
    }

    private void loadConsumer(byte[] key) {
        ByteBuffer rest = StreamRecords.rest(key);
        Group group = group(key, rest.getInt());
        if (group == null) {
            left.add(key);
        } else {
            group.loadConsumer(rest.getInt(), ByteBuffer.wrap(value(key)));
        }
    }

    private void loadPending(byte[] key) {
        ByteBuffer rest = StreamRecords.rest(key);
        Group group = group(key, rest.getInt());
        StreamId id = group == null ? StreamId.ZERO : new StreamId(rest.getLong(), rest.getLong());
        if (group == null || !group.loadPending(id, ByteBuffer.wrap(value(key)))) {
            left.add(key);
        }
    }
}
