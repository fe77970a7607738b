package dev.larder.server.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of consumers of a stream: how far it has read, and which entries are not acknowledged. Each change writes its
 * records first: an error, as on a full disk, leaves the group as it was. The record of a delivered entry is written before the id up to which the group has read. So after
 * a crash an entry is delivered again, and never lost.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Group {

    /** The result of {@link #read} if it is not known. */
    public static final long UNKNOWN = -1;

    /** The largest length of the name of a group or a consumer, in bytes, so that its record fits into a store of any options. */
    public static final int NAME_MAX_BYTES = 65_535;

    private static final int GROUP_BYTES = 24;
    private static final int PENDING_BYTES = 20;

    private final StreamRecords records;
    private final long stream;
    private final int number;
    private final String name;
    private final TreeMap<StreamId, Pending> pending = new TreeMap<>();
    private final TreeMap<String, GroupConsumer> consumers = new TreeMap<>();
    private final Map<Integer, GroupConsumer> byNumber = new HashMap<>();
    private StreamId last;
    private long read;
    private int consumersMade;

    Group(StreamRecords records, long stream, int number, String name, StreamId last, long read) {
        this.records = records;
        this.stream = stream;
        this.number = number;
        this.name = name;
        this.last = last;
        this.read = read;
    }

    /** Returns its name, with a character for each byte. */
    public String name() {
        return name;
    }

    int number() {
        return number;
    }

    /** Returns the id up to which it has read. */
    public StreamId last() {
        return last;
    }

    /** Returns how many of all added entries it has read, or {@link #UNKNOWN}. */
    public long read() {
        return read;
    }

    /** Returns the entries that are not acknowledged. The caller must not change them. */
    public NavigableMap<StreamId, Pending> pending() {
        return pending;
    }

    /** Returns the consumers by their names. The caller must not change them. */
    public SortedMap<String, GroupConsumer> consumers() {
        return consumers;
    }

    /** Returns the consumer with a name; null if there is none. */
    public @Nullable GroupConsumer consumer(String consumerName) {
        return consumers.get(consumerName);
    }

    /** Sets how far it has read. */
    public void setLast(StreamId id, long entriesRead) {
        save(id, entriesRead);
        last = id;
        read = entriesRead;
    }

    void save() {
        save(last, read);
    }

    private void save(StreamId id, long entriesRead) {
        byte[] text = name.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer record = ByteBuffer.allocate(GROUP_BYTES + text.length);
        record.putLong(id.millis()).putLong(id.number()).putLong(entriesRead).put(text);
        records.put(key(), record.array());
    }

    byte[] key() {
        return StreamRecords.key(stream, StreamRecords.GROUP, number);
    }

    static Group load(StreamRecords records, long stream, int number, ByteBuffer record) {
        StreamId last = new StreamId(record.getLong(), record.getLong());
        long read = record.getLong();
        return new Group(records, stream, number, StreamRecords.name(record), last, read);
    }

    /** Creates a consumer, whose name must be free. */
    public GroupConsumer addConsumer(String consumerName, long nowMillis) {
        GroupConsumer consumer = new GroupConsumer(consumersMade++, consumerName, nowMillis);
        save(consumer, nowMillis);
        put(consumer);
        return consumer;
    }

    private void put(GroupConsumer consumer) {
        consumers.put(consumer.name(), consumer);
        byNumber.put(consumer.number(), consumer);
    }

    /** Records that a consumer was seen. */
    public void saw(GroupConsumer consumer, long nowMillis) {
        if (consumer.seenMillis() != nowMillis) {
            save(consumer, nowMillis);
            consumer.setSeen(nowMillis);
        }
    }

    private void save(GroupConsumer consumer, long seenMillis) {
        byte[] text = consumer.name().getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer record = ByteBuffer.allocate(Long.BYTES + text.length);
        record.putLong(seenMillis).put(text);
        records.put(key(consumer), record.array());
    }

    byte[] key(GroupConsumer consumer) {
        return StreamRecords.key(stream, StreamRecords.CONSUMER, number, consumer.number());
    }

    void loadConsumer(int consumerNumber, ByteBuffer record) {
        long seen = record.getLong();
        GroupConsumer consumer = new GroupConsumer(consumerNumber, StreamRecords.name(record), seen);
        put(consumer);
        consumersMade = Math.max(consumersMade, consumerNumber + 1);
    }

    /** Removes a consumer, and the entries that it has not acknowledged. */
    public void removeConsumer(GroupConsumer consumer) {
        for (StreamId id : List.copyOf(consumer.pending().keySet())) {
            acknowledge(id);
        }
        records.remove(key(consumer));
        consumers.remove(consumer.name());
        byNumber.remove(consumer.number());
    }

    /** Gives an entry to a consumer, whichever consumer has it now. */
    public void give(StreamId id, GroupConsumer consumer, long deliveredMillis, long deliveries) {
        save(id, consumer, deliveredMillis, deliveries);
        Pending entry = pending.get(id);
        if (entry == null) {
            entry = new Pending(id, consumer, deliveredMillis, deliveries);
            pending.put(id, entry);
        } else {
            entry.consumer().pending().remove(id);
            entry.set(consumer, deliveredMillis, deliveries);
        }
        consumer.pending().put(id, entry);
    }

    private void save(StreamId id, GroupConsumer consumer, long deliveredMillis, long deliveries) {
        ByteBuffer record = ByteBuffer.allocate(PENDING_BYTES);
        record.putInt(consumer.number()).putLong(deliveredMillis).putLong(deliveries);
        records.put(key(id), record.array());
    }

    byte[] key(StreamId id) {
        return StreamRecords.key(stream, StreamRecords.PENDING, number, id);
    }

    /** Loads a pending entry from its record; returns false if its consumer was removed. */
    boolean loadPending(StreamId id, ByteBuffer record) {
        GroupConsumer consumer = byNumber.get(record.getInt());
        if (consumer == null) {
            return false;
        }
        Pending entry = new Pending(id, consumer, record.getLong(), record.getLong());
        pending.put(id, entry);
        consumer.pending().put(id, entry);
        return true;
    }

    /** Removes a pending entry; returns whether it was there. */
    public boolean acknowledge(StreamId id) {
        Pending entry = pending.get(id);
        if (entry == null) {
            return false;
        }
        records.remove(key(id));
        pending.remove(id);
        entry.consumer().pending().remove(id);
        return true;
    }

    /** Removes all records. The group's own record goes first, so that the others are not found after a crash. */
    void removeRecords() {
        records.remove(key());
        consumers.values().forEach(consumer -> records.remove(key(consumer)));
        pending.keySet().forEach(id -> records.remove(key(id)));
    }

    void copyTo(Group target) {
        target.consumersMade = consumersMade;
        for (GroupConsumer consumer : consumers.values()) {
            GroupConsumer same = new GroupConsumer(consumer.number(), consumer.name(), consumer.seenMillis());
            target.save(same, same.seenMillis());
            target.put(same);
            consumer.pending()
                    .forEach((id, entry) -> target.give(id, same, entry.deliveredMillis(), entry.deliveries()));
        }
        target.save();
    }
}
