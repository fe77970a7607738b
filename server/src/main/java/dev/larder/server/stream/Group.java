package dev.larder.server.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of consumers of a stream: how far it has read, and which entries are not acknowledged. Each change writes its
 * records before it returns. The record of a delivered entry is written before the id up to which the group has read. So after
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
        last = id;
        read = entriesRead;
        save();
    }

    void save() {
        byte[] text = name.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer record = ByteBuffer.allocate(GROUP_BYTES + text.length);
        record.putLong(last.millis()).putLong(last.number()).putLong(read).put(text);
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
        consumers.put(consumerName, consumer);
        save(consumer);
        return consumer;
    }

    /** Records that a consumer was seen. */
    public void saw(GroupConsumer consumer, long nowMillis) {
        if (consumer.seenMillis() != nowMillis) {
            consumer.setSeen(nowMillis);
            save(consumer);
        }
    }

    private void save(GroupConsumer consumer) {
        byte[] text = consumer.name().getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer record = ByteBuffer.allocate(Long.BYTES + text.length);
        record.putLong(consumer.seenMillis()).put(text);
        records.put(key(consumer), record.array());
    }

    byte[] key(GroupConsumer consumer) {
        return StreamRecords.key(stream, StreamRecords.CONSUMER, number, consumer.number());
    }

    void loadConsumer(int consumerNumber, ByteBuffer record) {
        long seen = record.getLong();
        GroupConsumer consumer = new GroupConsumer(consumerNumber, StreamRecords.name(record), seen);
        consumers.put(consumer.name(), consumer);
        consumersMade = Math.max(consumersMade, consumerNumber + 1);
    }

    /** Removes a consumer, and the entries that it has not acknowledged. */
    public void removeConsumer(GroupConsumer consumer) {
        consumers.remove(consumer.name());
        records.remove(key(consumer));
        for (StreamId id : List.copyOf(consumer.pending().keySet())) {
            acknowledge(id);
        }
    }

    /** Gives an entry to a consumer, whichever consumer has it now. */
    public void give(StreamId id, GroupConsumer consumer, long deliveredMillis, long deliveries) {
        Pending entry = pending.get(id);
        if (entry == null) {
            entry = new Pending(id, consumer, deliveredMillis, deliveries);
            pending.put(id, entry);
        } else {
            entry.consumer().pending().remove(id);
            entry.set(consumer, deliveredMillis, deliveries);
        }
        consumer.pending().put(id, entry);
        save(entry);
    }

    private void save(Pending entry) {
        ByteBuffer record = ByteBuffer.allocate(PENDING_BYTES);
        record.putInt(entry.consumer().number());
        record.putLong(entry.deliveredMillis()).putLong(entry.deliveries());
        records.put(key(entry.id()), record.array());
    }

    byte[] key(StreamId id) {
        return StreamRecords.key(stream, StreamRecords.PENDING, number, id);
    }

    /** Loads a pending entry from its record; returns false if its consumer was removed. */
    boolean loadPending(StreamId id, ByteBuffer record) {
        int owner = record.getInt();
        for (GroupConsumer consumer : consumers.values()) {
            if (consumer.number() == owner) {
                Pending entry = new Pending(id, consumer, record.getLong(), record.getLong());
                pending.put(id, entry);
                consumer.pending().put(id, entry);
                return true;
            }
        }
        return false;
    }

    /** Removes a pending entry; returns whether it was there. */
    public boolean acknowledge(StreamId id) {
        Pending entry = pending.remove(id);
        if (entry == null) {
            return false;
        }
        entry.consumer().pending().remove(id);
        records.remove(key(id));
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
            target.consumers.put(same.name(), same);
            target.save(same);
            consumer.pending()
                    .forEach((id, entry) -> target.give(id, same, entry.deliveredMillis(), entry.deliveries()));
        }
        target.save();
    }
}
