package dev.larder.server.stream;

import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapSnapshot;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a folder at a moment: what the records said, and where each queue ended. It writes them to another folder,
 * with the entries of that moment. Deleted entries are left out, so sequences begin at 0 there.
 *
 * <p>Meanwhile clients change the streams, and no file of the streams may be deleted.
 */
public final class StreamsMoment implements AutoCloseable {

    /**
     * A stream at that moment.
     *
     * @param counted whether the head covers the whole queue; else the queue holds what a crash has left behind the head
     */
    record At(StreamHead head, Stream stream, boolean counted) {

        /** Returns whether a message that is in the queue now was there at the moment. */
        boolean has(long sequence) {
            return counted ? sequence < head.checked() : stream.wasFound(sequence);
        }
    }

    private final StreamFolder folder;
    private final LogOptions options;
    private final MapSnapshot<byte[], byte[]> records;
    private final Map<Long, At> streams;
    private final Map<Long, Map<Long, long[]>> deleted = new HashMap<>();

    StreamsMoment(StreamFolder folder, LogOptions options, MapSnapshot<byte[], byte[]> records, Map<Long, At> streams) {
        this.folder = folder;
        this.options = options;
        this.records = records;
        this.streams = streams;
    }

    /**
     * Writes some of the streams to a folder that is empty, and makes them durable.
     *
     * @param to a map for the records
     * @param each called from time to time; an exception from it ends the write
     */
    public void writeTo(Path directory, LarderMap<byte[], byte[]> to, Set<Long> numbers, Runnable each) {
        for (Map.Entry<byte[], byte[]> record : records) {
            writeRecord(record.getKey(), record.getValue(), to, numbers);
            each.run();
        }
        for (long number : numbers) {
            At at = streams.get(number);
            if (at != null) {
                StreamHead head = writeEntries(number, at, directory.resolve(Long.toString(number)), each);
                to.set(StreamRecords.key(number, StreamRecords.HEAD), head.encode());
            }
        }
        to.sync();
    }

    private void writeRecord(byte[] key, byte[] value, LarderMap<byte[], byte[]> to, Set<Long> numbers) {
        long number = StreamRecords.stream(key);
        if (StreamRecords.kind(key) == StreamRecords.DELETED) {
            long[] words = new long[value.length / Long.BYTES];
            ByteBuffer.wrap(value).asLongBuffer().get(words);
            deleted.computeIfAbsent(number, any -> new HashMap<>())
                    .put(StreamRecords.rest(key).getLong(), words);
        } else if (StreamRecords.kind(key) != StreamRecords.HEAD && numbers.contains(number)) {
            to.set(key, value);
        }
    }

    private StreamHead writeEntries(long number, At at, Path directory, Runnable each) {
        folder.requireWhole(number); // else the backup would lack entries that were acknowledged as durable
        long[] written = new long[2]; // up to the head's end, and behind it
        Path source = folder.folder(number);
        if (Files.isDirectory(source)) {
            try (LarderQueue from = LarderQueue.open(source, options);
                    LarderQueue to = LarderQueue.open(directory, options)) {
                copy(number, at, from, to, written, each);
                to.sync();
            }
        }
        StreamHead head = at.head;
        return new StreamHead(
                written[0], 0, head.last(), head.added(), head.greatestDeleted(), head.foreign(), head.changes());
    }

    private void copy(long number, At at, LarderQueue from, LarderQueue to, long[] written, Runnable each) {
        long end = at.head.checked();
        long[] sequence = new long[1];
        try (Appender appender = to.appender();
                Tailer tailer = from.tailer()) {
            sequence[0] = tailer.toStart().sequence();
            long oldest = Math.max(sequence[0], at.head.first());
            sequence[0] = tailer.toSequence(oldest).sequence();
            while (at.has(sequence[0])
                    && tailer.poll((segment, offset, length) -> {
                        boolean was = at.has(sequence[0]); // the stream may have been used first a moment ago
                        if (was && isEntry(number, sequence[0], segment, offset, length)) {
                            appender.append(segment, offset, length);
                            written[sequence[0] < end ? 0 : 1]++;
                        }
                    })) {
                sequence[0]++;
                each.run();
            }
        }
    }

    private boolean isEntry(long number, long sequence, MemorySegment segment, long offset, int length) {
        @Nullable Map<Long, long[]> chunks = deleted.get(number);
        return EntryFrame.isEntry(segment, offset, length)
                && (chunks == null || !DeletedEntries.isDeleted(chunks, sequence));
    }

    @Override
    public void close() {
        records.close();
    }
}
