package dev.larder.server.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that producers have given their entries, so that a retry adds nothing. The last numbers of each producer are
 * known for a time. An addition forgets producers whose numbers have all expired. A number is recorded with the id of its entry
 * before the entry is added. If the entry never came, the id is greater than the stream's last id, and the number counts as
 * unknown. It is forgotten before another entry may have that id or a greater one.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Producers {

    /** The largest length of a producer's name and a number together, in bytes: they are the key of a record. */
    public static final int KEY_MAX_BYTES = StreamRecords.REST_MAX_BYTES - Integer.BYTES;

    private static final int SECONDS_DEFAULT = 100;
    private static final int COUNT_DEFAULT = 100;
    private static final long MILLIS = 1000;
    private static final int RECORD_BYTES = 24;

    /** How many producers an addition forgets: more than it makes. */
    private static final int FORGOTTEN_PRODUCERS = 2;

    private record Known(StreamId id, long millis) {}

    private final StreamRecords records;
    private final long stream;

    /** The producer that has added nothing for longest is first. */
    private final SequencedMap<String, SequencedMap<String, Known>> producers = new LinkedHashMap<>();

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

    /** Sets for how many seconds numbers are known, and how many of each producer. Forgets all numbers. */
    public void configure(long forSeconds, int atMost) {
        ByteBuffer record = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
        records.put(key(), record.putLong(forSeconds).putInt(atMost).array());
        seconds = forSeconds;
        most = atMost;
        removeNumbers();
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

    /** Sorts the loaded numbers in the order of their entries. */
    void loaded() {
        List<Map.Entry<String, SequencedMap<String, Known>>> all = new ArrayList<>();
        producers.forEach((producer, numbers) -> {
            SequencedMap<String, Known> sorted = new LinkedHashMap<>();
            numbers.entrySet().stream()
                    .sorted(Comparator.comparing(one -> one.getValue().id()))
                    .forEach(one -> sorted.put(one.getKey(), one.getValue()));
            all.add(Map.entry(producer, sorted));
        });
        all.sort(Comparator.comparing(
                one -> one.getValue().lastEntry().getValue().id()));
        producers.clear();
        all.forEach(one -> producers.put(one.getKey(), one.getValue()));
    }

    private SequencedMap<String, Known> numbers(String producer) {
        return producers.computeIfAbsent(producer, name -> new LinkedHashMap<>());
    }

    /** Returns the id of the entry to which a producer has given a number; null if it is not known. */
    public @Nullable StreamId find(String producer, String number, long nowMillis, StreamId last) {
        Map<String, Known> numbers = producers.get(producer);
        Known known = numbers == null ? null : numbers.get(number);
        return known == null || isOver(known, nowMillis) || known.id().isAfter(last) ? null : known.id();
    }

    private boolean isOver(Known known, long nowMillis) {
        return known.millis() + seconds * MILLIS <= nowMillis;
    }

    /** Returns whether all numbers of a producer have expired. A producer has none if its number could not be recorded. */
    private boolean areOver(SequencedMap<String, Known> numbers, long nowMillis) {
        Map.Entry<String, Known> newest = numbers.lastEntry();
        return newest == null || isOver(newest.getValue(), nowMillis);
    }

    /** Records a number before its entry is added. */
    public void add(String producer, String number, StreamId id, long nowMillis) {
        forgetIdle(producer, nowMillis);
        SequencedMap<String, Known> numbers = numbers(producer);
        numbers.remove(number); // one that has expired, or whose entry never came
        Iterator<Map.Entry<String, Known>> oldest = numbers.entrySet().iterator();
        boolean forgets = true;
        while (forgets && oldest.hasNext()) {
            Map.Entry<String, Known> one = oldest.next();
            forgets = numbers.size() >= most || isOver(one.getValue(), nowMillis);
            if (forgets) {
                records.remove(key(producer, one.getKey()));
                oldest.remove();
            }
        }
        numbers.put(number, new Known(id, nowMillis));
        producers.putLast(producer, numbers);
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
        record.putLong(id.millis()).putLong(id.number()).putLong(nowMillis);
        records.put(key(producer, number), record.array());
    }

    /** Forgets some producers, if they have added nothing for long. */
    private void forgetIdle(String adding, long nowMillis) {
        for (String idle : idle(adding, nowMillis)) {
            numbersOf(idle).keySet().forEach(number -> records.remove(key(idle, number)));
            producers.remove(idle);
        }
    }

    /** Returns the idle producers that {@link #add} forgets. */
    private List<String> idle(String adding, long nowMillis) {
        List<String> idle = new ArrayList<>(FORGOTTEN_PRODUCERS);
        for (Map.Entry<String, SequencedMap<String, Known>> one : producers.entrySet()) {
            if (idle.size() == FORGOTTEN_PRODUCERS
                    || one.getKey().equals(adding)
                    || !areOver(one.getValue(), nowMillis)) {
                return idle;
            }
            idle.add(one.getKey());
        }
        return idle;
    }

    /** Forgets a number whose entry could not be added. */
    void forget(String producer, String number) {
        SequencedMap<String, Known> numbers = numbers(producer);
        numbers.remove(number);
        if (numbers.isEmpty()) {
            producers.remove(producer);
        }
        records.remove(key(producer, number));
    }

    /**
     * Forgets the numbers whose ids are greater than the last id. Their entries never came, were lost, or do not count since
     * {@code XSETID} has set a lower id. The rest is ordered by id, as after {@link #loaded}, so all mirrors forget the same.
     */
    void forgetBehind(StreamId last) {
        List<Runnable> forgotten = new ArrayList<>();
        producers.forEach((producer, numbers) -> numbers.forEach((number, known) -> {
            if (known.id().isAfter(last)) {
                forgotten.add(() -> forget(producer, number));
            }
        }));
        forgotten.forEach(Runnable::run);
    }

    private Map<String, Known> numbersOf(String producer) {
        return Objects.requireNonNull(producers.get(producer));
    }

    /** Passes on the keys of the records that {@link #add} changes: the number, and those that are forgotten. */
    void forEachChangedKey(String producer, String number, long nowMillis, Consumer<byte[]> handler) {
        handler.accept(key(producer, number));
        for (String idle : idle(producer, nowMillis)) {
            numbersOf(idle).keySet().forEach(one -> handler.accept(key(idle, one)));
        }
        Map<String, Known> numbers = producers.getOrDefault(producer, new LinkedHashMap<>());
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
