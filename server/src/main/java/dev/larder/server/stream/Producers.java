package dev.larder.server.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that producers have given their entries: what comes again is not added again. Of each producer the last ones are
 * known, for a time. A number is recorded with the id of its entry before the entry is added: if the entry never came, the id is
 * greater than the stream's last one, and the number counts as unknown.
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public final class Producers {

    private static final int SECONDS_DEFAULT = 100;
    private static final int COUNT_DEFAULT = 100;
    private static final long MILLIS = 1000;
    private static final int RECORD_BYTES = 24;

    private record Known(StreamId id, long millis) {}

    private final StreamRecords records;
    private final long stream;
    private final Map<String, Map<String, Known>> producers = new HashMap<>();
    private long seconds = SECONDS_DEFAULT;
    private int most = COUNT_DEFAULT;

    Producers(StreamRecords records, long stream) {
        this.records = records;
        this.stream = stream;
    }

    /** Returns for how many seconds a number is known. */
    public long seconds() {
        return seconds;
    }

    /** Returns how many numbers of a producer are known. */
    public int most() {
        return most;
    }

    /** Sets for how many seconds, and how many numbers of a producer are known. Forgets all. */
    public void configure(long forSeconds, int atMost) {
        removeNumbers();
        seconds = forSeconds;
        most = atMost;
        ByteBuffer record = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
        records.put(key(), record.putLong(forSeconds).putInt(atMost).array());
    }

    private byte[] key() {
        return StreamRecords.key(stream, StreamRecords.PRODUCTION);
    }

    /** A producer's name may hold any byte, so its length comes first. */
    private byte[] key(String producer, String number) {
        byte[] name = producer.getBytes(StandardCharsets.ISO_8859_1);
        byte[] rest = number.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer key = ByteBuffer.allocate(Integer.BYTES + name.length + rest.length);
        key.putInt(name.length).put(name).put(rest);
        return StreamRecords.key(stream, StreamRecords.PRODUCER, key.array());
    }

    void loadOptions(ByteBuffer record) {
        seconds = record.getLong();
        most = record.getInt();
    }

    void load(ByteBuffer key, ByteBuffer record) {
        byte[] name = new byte[key.getInt()];
        key.get(name);
        Known known = new Known(new StreamId(record.getLong(), record.getLong()), record.getLong());
        numbers(new String(name, StandardCharsets.ISO_8859_1)).put(StreamRecords.name(key), known);
    }

    /** Puts what was loaded in the order of the entries. */
    void loaded() {
        producers.replaceAll((producer, numbers) -> {
            TreeMap<StreamId, String> ordered = new TreeMap<>();
            numbers.forEach((number, known) -> ordered.put(known.id(), number));
            Map<String, Known> sorted = new LinkedHashMap<>();
            ordered.values().forEach(number -> sorted.put(number, numbers.get(number)));
            return sorted;
        });
    }

    private Map<String, Known> numbers(String producer) {
        return producers.computeIfAbsent(producer, name -> new LinkedHashMap<>());
    }

    /** Returns the id of the entry that a producer has given a number; null if that is not known. */
    public @Nullable StreamId find(String producer, String number, long nowMillis, StreamId last) {
        Map<String, Known> numbers = producers.get(producer);
        Known known = numbers == null ? null : numbers.get(number);
        return known == null || isOver(known, nowMillis) || known.id().isAfter(last) ? null : known.id();
    }

    private boolean isOver(Known known, long nowMillis) {
        return known.millis() + seconds * MILLIS <= nowMillis;
    }

    /** Records a number before its entry is added. */
    public void add(String producer, String number, StreamId id, long nowMillis) {
        Map<String, Known> numbers = numbers(producer);
        numbers.remove(number); // one that is over, or whose entry never came
        Iterator<Map.Entry<String, Known>> oldest = numbers.entrySet().iterator();
        boolean forgets = true;
        while (forgets && oldest.hasNext()) {
            Map.Entry<String, Known> one = oldest.next();
            forgets = numbers.size() >= most || isOver(one.getValue(), nowMillis);
            if (forgets) {
                oldest.remove();
                records.remove(key(producer, one.getKey()));
            }
        }
        numbers.put(number, new Known(id, nowMillis));
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
        record.putLong(id.millis()).putLong(id.number()).putLong(nowMillis);
        records.put(key(producer, number), record.array());
    }

    /** Passes on the keys of the records that {@link #add} changes: the number, and those that are forgotten. */
    void forEachChangedKey(String producer, String number, long nowMillis, Consumer<byte[]> handler) {
        handler.accept(key(producer, number));
        Map<String, Known> numbers = producers.getOrDefault(producer, Map.of());
        int left = numbers.size();
        for (Map.Entry<String, Known> one : numbers.entrySet()) {
            if (left < most && !isOver(one.getValue(), nowMillis)) {
                return;
            }
            handler.accept(key(producer, one.getKey()));
            left--;
        }
    }

    /** Passes on the keys of all records. */
    void forEachKey(Consumer<byte[]> handler) {
        handler.accept(key());
        producers.forEach(
                (producer, numbers) -> numbers.keySet().forEach(number -> handler.accept(key(producer, number))));
    }

    private void removeNumbers() {
        producers.forEach(
                (producer, numbers) -> numbers.keySet().forEach(number -> records.remove(key(producer, number))));
        producers.clear();
    }

    void removeRecords() {
        removeNumbers();
        records.remove(key());
    }
}
