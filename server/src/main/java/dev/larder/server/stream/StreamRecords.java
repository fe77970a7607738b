package dev.larder.server.stream;

import dev.larder.log.NotInMemoryException;
import dev.larder.map.LarderMap;
import dev.larder.map.MapSnapshot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of all streams of a store: one map. A key is the number of the stream, the kind, and what follows from that;
 * {@code docs/formats/stream.md} lists them. Integers are big-endian.
 *
 * <pre>
 * key                                      value
 * stream 'H'                               head: StreamHead
 * stream 'D' chunk                         deleted entries: a bit each
 * stream 'G' group                         last id, entries read, name
 * stream 'C' group consumer                seen, name
 * stream 'P' group id                      consumer, delivered, deliveries
 * stream 'I'                               how long and how many producers' ids are known
 * stream 'J' producer number               id, when
 * </pre>
 */
final class StreamRecords implements AutoCloseable {

    static final byte HEAD = 'H';
    static final byte DELETED = 'D';
    static final byte GROUP = 'G';
    static final byte CONSUMER = 'C';
    static final byte PENDING = 'P';
    static final byte PRODUCTION = 'I';
    static final byte PRODUCER = 'J';

    private static final int PREFIX_BYTES = 9;

    /** The largest length of the part behind the kind in a key, in bytes: the map limits the length of keys. */
    static final int REST_MAX_BYTES = 65_535 - PREFIX_BYTES;

    private static final int PAGE = 1000;

    private final LarderMap<byte[], byte[]> map;

    StreamRecords(LarderMap<byte[], byte[]> map) {
        this.map = map;
    }

    static byte[] key(long stream, byte kind) {
        return ByteBuffer.allocate(PREFIX_BYTES).putLong(stream).put(kind).array();
    }

    static byte[] key(long stream, byte kind, long chunk) {
        return ByteBuffer.allocate(PREFIX_BYTES + 8)
                .putLong(stream)
                .put(kind)
                .putLong(chunk)
                .array();
    }

    static byte[] key(long stream, byte kind, int group) {
        return ByteBuffer.allocate(PREFIX_BYTES + 4)
                .putLong(stream)
                .put(kind)
                .putInt(group)
                .array();
    }

    static byte[] key(long stream, byte kind, int group, int consumer) {
        ByteBuffer key = ByteBuffer.allocate(PREFIX_BYTES + 8).putLong(stream).put(kind);
        return key.putInt(group).putInt(consumer).array();
    }

    static byte[] key(long stream, byte kind, int group, StreamId id) {
        ByteBuffer key =
                ByteBuffer.allocate(PREFIX_BYTES + 20).putLong(stream).put(kind).putInt(group);
        return key.putLong(id.millis()).putLong(id.number()).array();
    }

    static byte[] key(long stream, byte kind, byte[] rest) {
        return ByteBuffer.allocate(PREFIX_BYTES + rest.length)
                .putLong(stream)
                .put(kind)
                .put(rest)
                .array();
    }

    /** Returns the number of the stream that a key belongs to. */
    static long stream(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }

    static byte kind(byte[] key) {
        return key[PREFIX_BYTES - 1];
    }

    /** Returns what follows the kind in a key. */
    static ByteBuffer rest(byte[] key) {
        return ByteBuffer.wrap(key).position(PREFIX_BYTES);
    }

    /** Returns a name within a record: the bytes up to its end, each a character. */
    static String name(ByteBuffer bytes) {
        byte[] name = new byte[bytes.remaining()];
        bytes.get(name);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    byte @Nullable [] get(byte[] key) {
        return map.get(key);
    }

    void put(byte[] key, byte[] value) {
        map.set(key, value);
    }

    void remove(byte[] key) {
        map.delete(key);
    }

    /** Returns whether reading a record may have to wait for the disk, as far as is known. */
    boolean arePagesMissing() {
        return map.arePagesMissing();
    }

    /**
     * Reads records, to find out whether they are in memory.
     *
     * @throws RecordsNotInMemoryException if this thread may not wait for the disk, and one of them is not in memory
     */
    void look(List<byte[]> keys) {
        for (int i = 0; i < keys.size(); i++) {
            try {
                bringIn(keys.get(i));
            } catch (NotInMemoryException e) {
                throw new RecordsNotInMemoryException(this, List.copyOf(keys.subList(i, keys.size())), e);
            }
        }
    }

    /** Loads a record into memory. */
    void bringIn(byte[] key) {
        map.read(key, (segment, offset, length) -> {});
    }

    /** Passes on every key. */
    void forEachKey(Consumer<byte[]> handler) {
        long cursor = 0;
        do {
            cursor = map.scanKeys(cursor, PAGE, handler);
        } while (cursor != 0);
    }

    MapSnapshot<byte[], byte[]> snapshot() {
        return map.snapshot();
    }

    void clear() {
        map.clear();
    }

    void sync() {
        map.sync();
    }

    long restorePoint() {
        return map.restorePoint();
    }

    void keepFrom(long restorePoint) {
        map.keepFrom(restorePoint);
    }

    void checkpoint() {
        map.checkpoint();
    }

    void leaveOutLastCheckpoint() {
        map.leaveOutLastCheckpoint();
    }

    @Override
    public void close() {
        map.close();
    }
}
