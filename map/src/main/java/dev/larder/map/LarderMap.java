package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.RecordHandler;
import dev.larder.log.RecordWriter;
import dev.larder.map.format.Deadline;
import dev.larder.map.index.Condition;
import dev.larder.map.shared.IndexLocation;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A persisted map in a directory: its entries lie outside the heap, in a log that is mapped into memory, and may be more
 * than the machine's memory. It grows by itself, step by step, and is never sized in advance.
 *
 * {@snippet :
 * try (LarderMap<String, Long> map = LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs())) {
 *     map.put("one", 1L);
 *     map.merge("one", 1L, Long::sum);
 * }
 * }
 *
 * <p>A change that has returned is seen by all threads, and survives the death of the process. {@link #sync} returns: it
 * survives the death of the machine. Readers take no lock, and neither do writers.
 *
 * <p>As {@link ConcurrentMap} says, nothing is null. Keys are the same when their bytes are, and so are values where they
 * are compared. The functions of {@link #compute} and its like run without a lock: <b>at least once, and again
 * when another was faster, or the cleaner has moved the entry</b>; what the last run returned is stored. They must have
 * no effects of their own. Iterators are weakly consistent: an entry that is there throughout comes once.
 *
 * <p>Any number of processes have a map open at a time, each of them once; everything said here of threads is true of
 * theirs. One that is killed, at any moment, blocks none of the others. What was overwritten or removed is given back
 * in the background, segment by segment, as {@link Cleaning} says; a change that finds no room waits for that, or is a
 * DiskFullException.
 *
 * @param <K> the keys, of up to 65,535 bytes
 * @param <V> the values, of up to a quarter of the log's largest segment
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public final class LarderMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, AutoCloseable {

    private final MapSession<K, V> session;

    private LarderMap(MapSession<K, V> session) {
        this.session = session;
    }

    /** Opens the map in a directory with the default options, creating what is missing. */
    public static <K, V> LarderMap<K, V> open(Path directory, ValueCodec<K> keys, ValueCodec<V> values) {
        return open(directory, keys, values, LogOptions.defaults());
    }

    /**
     * Opens the map in a directory, creating what is missing. The codecs must be those that it was written with. A codec that
     * reads lets an {@code IllegalStateException} of the memory pass: the cleaner has given the record back meanwhile, and the
     * map looks for the key again. A codec that catches it returns what is not a value of the key.
     *
     * @throws MapInUseException when it is open in this process, or in one that cannot share it
     * @throws dev.larder.memory.ForeignFileException when there is a log that is not a map's
     * @throws dev.larder.memory.CorruptException when bytes that were synced are damaged
     * @throws IllegalArgumentException when the options ask for retention, or for read-only access
     */
    public static <K, V> LarderMap<K, V> open(
            Path directory, ValueCodec<K> keys, ValueCodec<V> values, LogOptions options) {
        return open(directory, keys, values, MapOptions.defaults().withLog(options));
    }

    /** Opens the map in a directory in another way; else as {@link #open(Path, ValueCodec, ValueCodec, LogOptions)}. */
    public static <K, V> LarderMap<K, V> open(
            Path directory, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        return new LarderMap<>(MapSession.open(directory, keys, values, options));
    }

    /**
     * Opens an empty map in memory alone, which nobody else opens, and which is gone when it is closed. Its files lie in a
     * memory file system, {@code /dev/shm}, if that has a GiB, else in the folder for temporary files; what a process has left
     * there that was killed, the next one removes, also where its process has the same number.
     */
    public static <K, V> LarderMap<K, V> temporary(ValueCodec<K> keys, ValueCodec<V> values) {
        return temporary(IndexLocation.memoryFolder(), keys, values, MapOptions.defaults());
    }

    /**
     * Opens an empty map which nobody else opens, and which is gone when it is closed; with its files in a folder, of a fast
     * disk for one that is larger than memory. The log's policy is none, whatever the options say; what is synced is what
     * {@link #sync} or the cleaner asks for.
     *
     * @throws dev.larder.memory.StorageException when nothing can be made in the folder
     */
    public static <K, V> LarderMap<K, V> temporary(
            Path folder, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        return new LarderMap<>(MapSession.temporary(folder, keys, values, options));
    }

    /** Sets who is told of entries that go, from now on; only one is. */
    public void listener(RemovalListener<? super K, ? super V> listener) {
        session.removals().tell(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public @Nullable V get(Object key) {
        return session.lookups().get(this.<K>cast(key));
    }

    @Override
    public boolean containsKey(Object key) {
        return session.lookups().contains(this.<K>cast(key));
    }

    /**
     * Copies the bytes of the value of a key into memory of the caller's, from an offset up to its end: what {@link #get} does,
     * without an object.
     *
     * @return how many bytes the value has, -1 where there is none. Where they are more than there is room for, nothing is
     *     copied
     * @throws IndexOutOfBoundsException when the offset does not lie within the memory
     */
    public int get(K key, MemorySegment target, long offset) {
        long room = target.byteSize() - Objects.checkFromToIndex(offset, target.byteSize(), target.byteSize());
        return session.lookups().copy(key, target, offset, room);
    }

    /**
     * Hands the value of a key to a handler where it lies; returns false where there is none. The bytes are valid during the
     * call only.
     */
    public boolean read(K key, RecordHandler handler) {
        return session.lookups().read(key, handler);
    }

    /**
     * Returns the entries of those keys that have one. The cache misses of up to 32 keys at a time overlap, which takes less
     * than half as long as to get one after the other. Each key is looked at by itself: there need be no moment at
     * which the map held all of them together.
     *
     * @return a map of its own, with the keys that were given
     */
    public Map<K, V> getAll(Collection<? extends K> keys) {
        return session.groups().getAll(keys.iterator());
    }

    /**
     * Hands the values of those keys that have one to a handler where they lie, in the order of the keys; returns how
     * many they were. Misses overlap, and each key is looked at by itself, as with {@link #getAll}. The bytes are valid
     * during the handler's call only.
     */
    public long readAll(Collection<? extends K> keys, EntryHandler<? super K> handler) {
        return session.groups().readAll(keys.iterator(), handler);
    }

    /** Puts a value without looking at the one before. */
    public void set(K key, V value) {
        session.changes().set(key, value);
    }

    /**
     * Puts a value that expires, however often it is used.
     *
     * @param lifetime from now on, from 1 ms to 17 years, in place of the map's {@link Lifetime}
     */
    public void set(K key, V value, Duration lifetime) {
        session.changes().set(key, value, lifetime);
    }

    /**
     * Puts a value that expires at an instant, to the millisecond, however often it is used. Where that has passed, the key has
     * no value from now on.
     *
     * @throws IllegalArgumentException when the instant is not within 17 years of now
     */
    public void set(K key, V value, Instant expiry) {
        session.changes().set(key, value, Objects.requireNonNull(expiry, "expiry"));
    }

    /** Returns when the entry of a key expires; empty where it does not, or there is none. No use of the entry. */
    public Optional<Instant> expiry(K key) {
        return session.lookups().expiry(key);
    }

    /** Puts a value with the {@link Deadline} that it had elsewhere. */
    void set(K key, V value, long deadline) {
        session.changes().set(key, value, deadline);
    }

    /**
     * Returns the value of a key; where there is none, what a loader returns for it, which is put then unless another
     * value was meanwhile. When several threads of the process miss a key, one loads and the others wait; an error of
     * the loader is thrown in all of them, and the next call loads again.
     *
     * @param loader called outside of any lock; null for a key that has no value
     * @throws IllegalStateException when the loader asks for the key that it loads, itself or by way of other loaders: two
     *     loaders that ask for each other's keys would wait for ever. Not noticed is a loader that waits for another thread
     *     which asks
     */
    public @Nullable V getOrLoad(K key, Function<? super K, ? extends @Nullable V> loader) {
        return session.computations().getOrLoad(key, loader);
    }

    /**
     * Puts all entries of another map, each by itself: others may see some of them and not yet the rest. The cache
     * misses of up to 32 entries at a time overlap: after an error those of the groups before are there, and of its own group
     * none, or those before it.
     */
    @Override
    public void putAll(Map<? extends K, ? extends V> entries) {
        session.groups().putAll(entries.entrySet().iterator());
    }

    /**
     * Puts a value of so many bytes that is written where it will lie, without a copy. The bytes must be what the codec
     * of values reads. The writer may be called again, for another place, when others put the same key meanwhile; when
     * it throws, nothing is put.
     */
    public void write(K key, int length, RecordWriter writer) {
        session.changes().write(key, length, writer);
    }

    @Override
    public @Nullable V put(K key, V value) {
        return session.changes().put(key, value, Condition.ALWAYS);
    }

    /** Puts a value that expires as {@link #set(Object, Object, Duration)} says; returns the one before. */
    public @Nullable V put(K key, V value, Duration lifetime) {
        return session.changes().put(key, value, lifetime);
    }

    /** Puts a value that expires as {@link #set(Object, Object, Instant)} says; returns the one before. */
    public @Nullable V put(K key, V value, Instant expiry) {
        return session.changes().put(key, value, Objects.requireNonNull(expiry, "expiry"));
    }

    /** Returns a loader of many entries: the fastest way in. */
    public MapLoader<K, V> loader() {
        return session.loader();
    }

    /** Puts all entries of a sequence, by a {@link #loader}; returns how many they were. */
    public long load(Iterator<? extends Map.Entry<? extends K, ? extends V>> entries) {
        long count = 0;
        try (MapLoader<K, V> loader = loader()) {
            while (entries.hasNext()) {
                Map.Entry<? extends K, ? extends V> entry = entries.next();
                loader.put(entry.getKey(), entry.getValue());
                count++;
            }
        }
        return count;
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        return session.changes().put(key, value, Condition.ABSENT);
    }

    @Override
    public @Nullable V replace(K key, V value) {
        return session.changes().put(key, value, Condition.PRESENT);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return session.changes().replace(key, oldValue, newValue);
    }

    @Override
    public @Nullable V remove(Object key) {
        return session.changes().remove(this.<K>cast(key));
    }

    @Override
    public boolean remove(Object key, @Nullable Object value) {
        Objects.requireNonNull(key, "key");
        return value != null && session.changes().remove(this.<K>cast(key), this.<V>cast(value));
    }

    /** Returns whether an entry is there, its value compared by its bytes. */
    boolean contains(Object key, Object value) {
        return session.lookups().contains(this.<K>cast(key), this.<V>cast(value));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a codec of another type refuses it
    private <T> T cast(Object object) {
        return (T) Objects.requireNonNull(object);
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
        return session.computations().compute(key, remapping);
    }

    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
        return session.computations().computeIfAbsent(key, mapping);
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
        Objects.requireNonNull(remapping, "remapping");
        return session.computations()
                .compute(key, (same, found) -> found == null ? null : remapping.apply(same, found));
    }

    @Override
    public @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(remapping, "remapping");
        return session.computations()
                .compute(key, (same, found) -> found == null ? value : remapping.apply(found, value));
    }

    /** Removes every entry that is there throughout, one by one. */
    @Override
    public void clear() {
        keySet().forEach(this::remove);
    }

    @Override
    public Set<K> keySet() {
        return new KeyView<>(this);
    }

    @Override
    public Collection<V> values() {
        return new ValueView<>(this);
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new EntryView<>(this);
    }

    /** Removes the entries that pass a test, unless they have got another value since. */
    boolean removeEach(Predicate<? super Map.Entry<K, V>> test) {
        boolean any = false;
        for (Iterator<Map.Entry<K, V>> entries = iterator(); entries.hasNext(); ) {
            Map.Entry<K, V> entry = entries.next();
            any |= test.test(entry) && remove(entry.getKey(), entry.getValue());
        }
        return any;
    }

    EntryIterator<K, V> iterator() {
        return new EntryIterator<>(this, session.walk());
    }

    /** Returns how many entries there are; {@code Integer.MAX_VALUE} where there are more. */
    @Override
    public int size() {
        return (int) Math.min(longSize(), Integer.MAX_VALUE);
    }

    /**
     * Returns how many entries there are. Of changes that are being made meanwhile some count and some do not; what has
     * expired counts until the cleaner has come to it.
     */
    public long longSize() {
        return session.count();
    }

    @Override
    public boolean isEmpty() {
        return longSize() == 0 || !iterator().hasNext();
    }

    /** Makes everything durable that was changed before the call. The errors are those of {@link Log#sync}. */
    public void sync() {
        session.sync();
    }

    /**
     * Writes an image of the index: an opening after a crash then reads no more of the log than what comes after this call.
     * Syncs. Changes go on meanwhile; their threads wait for nothing.
     */
    public void checkpoint() {
        session.checkpoint();
    }

    /**
     * Gives back what was overwritten or removed, until at most 3 % of what the log uses is dead, or all of it was gone
     * through once. What is alive is written again meanwhile; changes go on. Syncs.
     *
     * @throws dev.larder.memory.CorruptException when a record is not what was written; it stays where it is
     */
    public void compact() {
        session.compact();
    }

    /**
     * Returns what the map holds at this moment, to be read as long as it is open: the entries are not copied, and what
     * leads to them is. Changes go on meanwhile.
     *
     * @throws dev.larder.log.LogBusyException when another process is in the midst of a change for 10 s, as it is stopped
     * @throws dev.larder.memory.DiskFullException when there is no memory for it
     * @throws IllegalStateException when 64 are open in this process
     */
    public MapSnapshot<K, V> snapshot() {
        return session.snapshot();
    }

    /** Returns what the map is and how it stands. */
    public MapInfo info() {
        return session.info();
    }

    /**
     * Closes the map, with a checkpoint if no other process has it open and something was changed since the last one;
     * waits for changes that are being made. Other threads get a ClosedException then.
     */
    @Override
    public void close() {
        session.close();
    }
}
