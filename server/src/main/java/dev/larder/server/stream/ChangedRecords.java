package dev.larder.server.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The records of a stream that a command is about to change. They are read first, so an event loop finds records that are not
 * in memory before the command has changed any.
 *
 * <pre>
 * XACK of three ids  ->  the records of three pending entries  ->  look: all there, or an exception that knows the rest
 * </pre>
 *
 * <p>They may be more than the command changes. Only the thread that uses the stream calls this.
 */
public final class ChangedRecords {

    private final Stream stream;
    private final List<byte[]> keys = new ArrayList<>();

    private ChangedRecords(Stream stream) {
        this.stream = stream;
    }

    /**
     * Reads records, if some may have left memory.
     *
     * @param naming names the records
     * @throws RecordsNotInMemoryException if this thread may not wait for the disk, and one of them is not in memory
     */
    public static void look(Stream stream, Consumer<ChangedRecords> naming) {
        if (stream.records().arePagesMissing()) {
            ChangedRecords changed = new ChangedRecords(stream);
            naming.accept(changed);
            stream.records().look(changed.keys);
        }
    }

    /** Names the head. */
    public void head() {
        keys.add(StreamRecords.key(stream.number(), StreamRecords.HEAD));
    }

    /** Names the bits of the entries near an id. */
    public void deleted(StreamId id) {
        keys.add(stream.deleted().key(stream.ceiling(id)));
    }

    /** Names the bits of all entries up to a sequence, and of the deleted entries that follow it. */
    public void deletedUpTo(long sequence) {
        stream.deleted().forEachKey(sequence + 1, keys::add);
    }

    /** Names a group's own record. */
    public void group(Group group) {
        keys.add(group.key());
    }

    /** Names a consumer's own record. */
    public void consumer(Group group, GroupConsumer consumer) {
        keys.add(group.key(consumer));
    }

    /** Names the record of an entry, if it is pending. */
    public void pending(Group group, StreamId id) {
        if (group.pending().containsKey(id)) {
            keys.add(group.key(id));
        }
    }

    /** Names a group's record, and those of its consumers and pending entries. */
    public void all(Group group) {
        group(group);
        group.consumers().values().forEach(consumer -> consumer(group, consumer));
        group.pending().keySet().forEach(id -> keys.add(group.key(id)));
    }

    /** Names the records that change when a producer gives an entry a number. */
    public void production(String producer, String number, long nowMillis) {
        stream.producers().forEachChangedKey(producer, number, nowMillis, keys::add);
    }

    /** Names the records of all producers' numbers, and of how many are known. */
    public void productions() {
        stream.producers().forEachKey(keys::add);
    }
}
