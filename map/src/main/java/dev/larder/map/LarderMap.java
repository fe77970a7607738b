package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.codec.ViewCodec;
import dev.larder.codec.schema.PlainCodec;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.RecordHandler;
import dev.larder.log.RecordWriter;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.map.entry.EntryWalk;
import dev.larder.map.entry.PendingHome;
import dev.larder.map.format.Deadline;
import dev.larder.map.index.Condition;
import dev.larder.map.index.IndexWalk;
import dev.larder.map.shared.IndexLocation;
import dev.larder.memory.ClosedException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A persisted map in a directory. Its entries lie outside the heap, in a log that is mapped into memory, and may exceed
 * the machine's memory. The map grows in small steps, without a size in advance.
 *
 * {@snippet :
 * try (LarderMap<String, Long> map = LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs())) {
 *     map.put("one", 1L);
 *     map.merge("one", 1L, Long::sum);
 * }
 * }
 *
 * <p>When a change returns, all threads see it, and it survives the death of the process. When {@link #sync} returns,
 * it survives the death of the machine. Neither readers nor writers take a lock.
 *
 * <p>Nulls are rejected, as {@link ConcurrentMap} allows. Keys are equal if their encoded bytes are. Values that a
 * method compares are equal if their encoded bytes are. {@code equals} alone compares objects, as {@link Map} requires.
 * {@code equals}, {@code hashCode} and {@code toString} read every entry. Do not put a map into a hash set. In a log, name its
 * {@link #directory}.
 *
 * <p>The functions of {@link #compute} and similar methods run without a lock, <b>at least once, and again if another change
 * was faster, the cleaner has moved the entry, or it has expired</b>. The result of the last run is stored. The functions must
 * have no side effects. Iterators are weakly consistent: an entry that is present throughout is returned once.
 *
 * <p>A change without a lifetime gives the entry the map's {@link Lifetime}, also in {@code compute}, {@code merge} and
 * {@code setValue}. An entry's own lifetime ends then.
 *
 * <p>Any number of processes may have a map open. Everything said here of threads is true of the threads of all these
 * processes. A second opening in one JVM, with equal codecs and options, shares the first. A process that is killed, at any
 * moment, blocks no other. A background task gives the space of overwritten and removed entries back, segment by segment
 * ({@link Cleaning}). A change that finds no room waits for that task, or throws {@link dev.larder.memory.DiskFullException}.
 * An interrupt does not end a wait for space or for a loader. The thread stays interrupted.
 *
 * <p>These errors of a change mean that nothing was changed, except the last:
 *
 * <ul>
 *   <li>{@link IllegalArgumentException}: the key has more than 65,535 bytes;
 *   <li>{@link dev.larder.log.RecordTooLargeException}: header, key and value together take more than a quarter of the largest
 *       segment;
 *   <li>{@link dev.larder.memory.DiskFullException}: there is no room, and cleaning makes none;
 *   <li>{@link dev.larder.log.LogFailedException}: a sync of the log has failed, and the map takes no more changes. The change
 *       whose own sync failed has been made.
 * </ul>
 *
 * @param <K> the type of the keys, of up to 65,535 encoded bytes
 * @param <V> the type of the values. Header, key and value together take at most a quarter of the largest segment
 */
@SuppressWarnings("exports") // users of this class need no nullness annotations
public final class LarderMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, AutoCloseable {

    private static final VarHandle SESSION;

    static {
        try {
            SESSION = MethodHandles.lookup().findVarHandle(LarderMap.class, "session", MapSession.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** How many entries of a page of the index are looked at for expired ones. */
    private static final int EXPIRY_SAMPLE = 128;

    private final Path directory;
    private final Runnable closing;

    /** Null after {@link #close}. Loaded opaquely: a lookup orders nothing by it. */
    private @Nullable MapSession<K, V> session;

    private LarderMap(MapSession<K, V> session, Runnable closing) {
        this.directory = session.directory();
        this.session = session;
        this.closing = closing;
    }

    MapSession<K, V> session() {
        @SuppressWarnings("unchecked") // the constructor stored it
        MapSession<K, V> open = (MapSession<K, V>) SESSION.getOpaque(this);
        if (open == null) {
            throw new ClosedException(directory + ": the map was closed");
        }
        return open;
    }

    /** Opens the map in a directory with the default options, and creates it if it is missing. */
    public static <K, V> LarderMap<K, V> open(Path directory, ValueCodec<K> keys, ValueCodec<V> values) {
        return open(directory, keys, values, LogOptions.defaults());
    }

    /**
     * Opens the map in a directory, and creates it if it is missing. A map stores the names of the codecs that created
     * it ({@link ValueCodec#name}), and opens only with codecs of the same names.
     *
     * <p>A codec must not catch an {@code IllegalStateException} of the memory that it reads. The exception means that
     * the cleaner has given the record back meanwhile, and the map looks the key up again. A codec that catches it
     * returns a wrong value.
     *
     * <p>A map that is opened read-only ({@link LogOptions#withReadOnly}) shows its entries as they were at that moment, and
     * refuses changes with a {@link dev.larder.log.ReadOnlyException}. It needs no permission to write to the files, and
     * changes none. Other processes may have the map open, and change it: open it again to see their changes. While it is open,
     * the segments that they drop still take space. Its index is built in this process's memory, 14 to 16 bytes an entry, from
     * the checkpoint and the log.
     *
     * @throws CodecMismatchException if codecs of other names created the map
     * @throws MapInUseException if the map is open in this JVM with other options or codecs, or in a process that cannot
     *     share it
     * @throws dev.larder.memory.ForeignFileException if there is a log that is not a map's
     * @throws dev.larder.memory.CorruptException if bytes that were synced are damaged
     * @throws IllegalArgumentException if the options request retention, or a codec is one of views ({@code Codec.views}),
     *     which show bytes that end with the call. Use {@code Codec.records}
     */
    public static <K, V> LarderMap<K, V> open(
            Path directory, ValueCodec<K> keys, ValueCodec<V> values, LogOptions options) {
        return open(directory, keys, values, MapOptions.defaults().withLog(options));
    }

    /** Opens the map in a directory with options; otherwise like {@link #open(Path, ValueCodec, ValueCodec, LogOptions)}. */
    public static <K, V> LarderMap<K, V> open(
            Path directory, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        ValueCodec<K> ofKeys = storable(directory, "keys", keys);
        ValueCodec<V> ofValues = storable(directory, "values", values);
        if (options.log().access().readOnly()) {
            MapSession<K, V> session = ReadingSession.open(directory, ofKeys, ofValues, options);
            return new LarderMap<>(session, session::close);
        }
        OpenSessions.Shared<K, V> shared = OpenSessions.acquire(directory, ofKeys, ofValues, options);
        return new LarderMap<>(shared.session(), () -> OpenSessions.release(shared));
    }

    /**
     * Returns a codec as the map uses it: of a codec for messages of plain values, the codec of the values. Refuses views: the
     * map returns objects that outlive the call, and a thread's reads of one schema would all return the same view.
     */
    private static <T> ValueCodec<T> storable(Path directory, String what, ValueCodec<T> codec) {
        Objects.requireNonNull(codec, what);
        if (codec instanceof ViewCodec) {
            throw new IllegalArgumentException(directory + ": the codec \"" + codec.name() + "\" of the " + what
                    + " is one of views. A map cannot hand out views: the bytes end with the call. Use Codec.records");
        }
        return PlainCodec.valuesOf(codec);
    }

    /**
     * Opens an empty map in memory, which no other process opens, and which is removed when it is closed. Its files lie
     * in a memory file system, {@code /dev/shm}, if that has a GiB, else in the folder for temporary files. The next
     * process removes files that a killed process has left there, even if it has the same process number.
     */
    public static <K, V> LarderMap<K, V> temporary(ValueCodec<K> keys, ValueCodec<V> values) {
        return temporary(IndexLocation.memoryFolder(), keys, values, MapOptions.defaults());
    }

    /**
     * Opens an empty map in a folder, which no other process opens, and which is removed when it is closed. For a map
     * larger than memory, choose a folder on a fast disk. The log's sync policy is none, whatever the options say. Only
     * {@link #sync} and the cleaner sync.
     *
     * @throws dev.larder.memory.StorageException if no file can be made in the folder
     * @throws IllegalArgumentException if a codec is one of views
     */
    public static <K, V> LarderMap<K, V> temporary(
            Path folder, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        MapSession<K, V> session = WritingSession.temporary(
                folder, storable(folder, "keys", keys), storable(folder, "values", values), options);
        return new LarderMap<>(session, session::close);
    }

    /** Returns the directory of the map, also after it was closed. */
    public Path directory() {
        return directory;
    }

    /**
     * Sets the listener for removed entries, from now on. All openings of this JVM have one listener at a time. It stays until
     * the last opening of this JVM closes: set one that does nothing to end it earlier.
     *
     * @throws dev.larder.log.ReadOnlyException if the map was opened read-only
     */
    public void listener(RemovalListener<? super K, ? super V> listener) {
        session().removals().tell(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Sets the listener for entries that expire or are evicted, from now on. All openings of this JVM have one loss listener at
     * a time. It stays until the last opening of this JVM closes.
     *
     * @throws dev.larder.log.ReadOnlyException if the map was opened read-only
     */
    public void lossListener(LossListener<? super K> listener) {
        session().removals().tellLosses(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public @Nullable V get(Object key) {
        return session().lookups().get(this.<K>cast(key));
    }

    @Override
    public boolean containsKey(Object key) {
        return session().lookups().contains(this.<K>cast(key));
    }

    /**
     * Copies the encoded value of a key into the caller's memory, from an offset on: like {@link #get}, without an
     * object. Bytes of the target after the offset may have changed, whatever the call returns or throws.
     *
     * @return the number of the value's bytes; -1 if there is no value. If the value exceeds the memory after the offset, the
     *     caller has no copy of it
     * @throws IndexOutOfBoundsException if the offset does not lie within the memory
     */
    public int get(K key, MemorySegment target, long offset) {
        long room = target.byteSize() - offset;
        if (offset < 0 || room < 0) {
            throw new IndexOutOfBoundsException(
                    "offset " + offset + " of a segment of " + target.byteSize() + " bytes");
        }
        return session().lookups().copy(key, target, offset, room);
    }

    /**
     * Passes the encoded value of a key to a handler, in place; returns false if there is none. The bytes are valid
     * during the call only.
     */
    public boolean read(K key, RecordHandler handler) {
        return session().lookups().read(key, handler);
    }

    /**
     * Returns the entries of the given keys that have one. The cache misses of up to 32 keys at a time overlap, which
     * takes less than half as long as one get after the other. Each key is looked up by itself: there need be no moment
     * at which the map held all of the returned entries.
     *
     * @return a new map, with the keys that were given
     */
    public Map<K, V> getAll(Collection<? extends K> keys) {
        return session().groups().getAll(keys.iterator());
    }

    /**
     * Passes the encoded values of the given keys that have one to a handler, in place, in the order of the keys;
     * returns how many. As with {@link #getAll}, misses overlap and each key is looked up by itself. The bytes are
     * valid during the handler's call only.
     */
    public long readAll(Collection<? extends K> keys, EntryHandler<? super K> handler) {
        return session().groups().readAll(keys.iterator(), handler);
    }

    /** Puts a value without reading the previous one. */
    public void set(K key, V value) {
        session().changes().set(key, value);
    }

    /**
     * Puts a value that expires, even if it is used.
     *
     * @param lifetime from now on, from 1 ms to 17 years, in place of the map's {@link Lifetime}
     */
    public void set(K key, V value, Duration lifetime) {
        session().changes().set(key, value, lifetime);
    }

    /**
     * Puts a value that expires at an instant, to the millisecond, even if it is used. If the instant has passed, the
     * key has no value from now on.
     *
     * @throws IllegalArgumentException if the instant is not within 17 years of now
     */
    public void set(K key, V value, Instant expiry) {
        session().changes().set(key, value, Objects.requireNonNull(expiry, "expiry"));
    }

    /**
     * Returns when the entry of a key expires; empty if it does not expire, or there is none. The call does not count
     * as a use.
     */
    public Optional<Instant> expiry(K key) {
        return session().lookups().expiry(key);
    }

    /**
     * Returns a number that identifies the entry of a key; -1 if there is none. Each change of the entry by any process gives
     * it a number that no entry of the key has had before. This holds even if the value is the same again. The number also
     * changes when the cleaner moves the entry. The call does not count as a use.
     */
    public long version(K key) {
        return session().lookups().version(key);
    }

    /** Puts a value with the {@link Deadline} that it had in another map. */
    void set(K key, V value, long deadline) {
        session().changes().set(key, value, deadline);
    }

    /**
     * Returns the value of a key. If there is none, it calls a loader and puts the result, unless another value was put
     * meanwhile. If several threads of the process miss a key, one loads and the others wait. An error of the loader is
     * thrown in all of them, and the next call loads again.
     *
     * @param loader called outside of any lock; returns null for a key without a value
     * @throws IllegalStateException if the loader asks for the key that it loads, itself or through other loaders. Two loaders
     *     that ask for each other's keys would wait forever. A loader that waits for another thread, which asks, is not
     *     detected
     */
    public @Nullable V getOrLoad(K key, Function<? super K, ? extends @Nullable V> loader) {
        return session().computations().getOrLoad(key, loader);
    }

    /**
     * Puts all entries of another map, each by itself: other threads may see some of them before the rest. The cache
     * misses of up to 32 entries at a time overlap. After an error, the groups before the failed one are complete. Of
     * the failed group, either no entry was put, or the entries before the failed one.
     */
    @Override
    public void putAll(Map<? extends K, ? extends V> entries) {
        session().groups().putAll(entries.entrySet().iterator());
    }

    /**
     * Puts a value of {@code length} bytes that a writer fills in place, without a copy. The bytes must be readable by
     * the values' codec. The writer may be called again, for another position, if another thread puts the same key
     * meanwhile. If it throws, nothing is put.
     */
    public void write(K key, int length, RecordWriter writer) {
        session().changes().write(key, length, writer);
    }

    /**
     * Puts a value that expires as {@link #set(Object, Object, Duration)} says; otherwise like
     * {@link #write(Object, int, RecordWriter)}.
     */
    public void write(K key, int length, RecordWriter writer, Duration lifetime) {
        session().changes().write(key, length, writer, lifetime);
    }

    /**
     * Puts a value that expires as {@link #set(Object, Object, Instant)} says; otherwise like
     * {@link #write(Object, int, RecordWriter)}.
     */
    public void write(K key, int length, RecordWriter writer, Instant expiry) {
        session().changes().write(key, length, writer, Objects.requireNonNull(expiry, "expiry"));
    }

    @Override
    public @Nullable V put(K key, V value) {
        return session().changes().put(key, value, Condition.ALWAYS);
    }

    /** Puts a value that expires as {@link #set(Object, Object, Duration)} says; returns the previous one. */
    public @Nullable V put(K key, V value, Duration lifetime) {
        return session().changes().put(key, value, lifetime, Condition.ALWAYS);
    }

    /** Puts a value that expires as {@link #set(Object, Object, Instant)} says; returns the previous one. */
    public @Nullable V put(K key, V value, Instant expiry) {
        return session().changes().put(key, value, Objects.requireNonNull(expiry, "expiry"), Condition.ALWAYS);
    }

    /**
     * Runs changes that never clean, never sync, and never wait for the cleaner or for another process. They are for a thread
     * that must not block, such as an event loop. A change that would have to throws {@link NoRoomYetException}, and has
     * changed nothing. Reads are not affected.
     *
     * {@snippet :
     * String before = map.withoutWaiting(() -> map.put("key", "value"));
     * }
     *
     * <p>Space is then made by the background task ({@link Cleaning#background}) and by threads that may wait. Under the policy
     * {@code everyAppend} every change waits for a sync, so this method throws at once. A change may still take long: to read a
     * record from the disk, or to prepare a segment of the log if the background task has not yet. So may the loader of
     * {@link #getOrLoad} in another thread, and the caller's functions, codecs and listeners.
     *
     * @param changes calls of this thread; it may make several, of which those before an error have been made
     * @return what they return
     */
    public <T extends @Nullable Object> T withoutWaiting(Supplier<T> changes) {
        return session().withoutWaiting(changes);
    }

    /**
     * Runs calls that never wait for the disk to read a record. They are for a thread that must not block, such as an event
     * loop. A call that would have to throws {@link dev.larder.log.NotInMemoryException}, and has changed nothing. Another
     * thread then reads the record, with {@link #read} for example, and the caller makes the call again.
     *
     * <p>The map asks the system which pages are in memory. While all of them are, it asks at one read in 128. So such a call
     * may still wait if its page is the first to have left memory.
     *
     * @param calls calls of this thread; it may make several, of which those before an error have been made
     * @return what they return
     */
    public <T extends @Nullable Object> T withoutReading(Supplier<T> calls) {
        return session().withoutReading(calls);
    }

    /** Returns whether pages of the log were found missing lately, so that a lookup may have to read from the disk. */
    public boolean arePagesMissing() {
        return session().arePagesMissing();
    }

    /**
     * Waits until there is room for a change; returns at once if there is.
     *
     * @param removal whether the change is a removal, which needs less room
     * @throws dev.larder.memory.DiskFullException if the live entries do not leave enough room
     * @throws NoRoomYetException within {@link #withoutWaiting}, if the call would have to wait
     */
    public void awaitRoom(boolean removal) {
        session().changes().awaitRoom(removal);
    }

    /** Returns a loader of many entries: the fastest way to put them. The caller closes it. */
    public MapLoader<K, V> loader() {
        return session().loader(0);
    }

    /**
     * Returns a loader for about so many entries: the map makes room for them first, and the load is faster. The number is a
     * hint, and more or fewer entries may come.
     *
     * @throws IllegalArgumentException if the number is negative
     * @throws dev.larder.memory.DiskFullException if the index has no room for so many
     */
    public MapLoader<K, V> loader(long expectedEntries) {
        if (expectedEntries < 0) {
            throw new IllegalArgumentException(
                    session().directory() + ": " + expectedEntries + " expected entries; the least is 0");
        }
        return session().loader(expectedEntries);
    }

    /** Puts all entries of a sequence with a {@link #loader}; returns how many. */
    public long load(Iterator<? extends Map.Entry<? extends K, ? extends V>> entries) {
        long count = 0;
        MapLoader<K, V> own = loader();
        try (MapLoader<K, V> loader = own) {
            while (entries.hasNext()) {
                Map.Entry<? extends K, ? extends V> entry = entries.next();
                loader.put(entry.getKey(), entry.getValue());
                count++;
            }
        } finally {
            own.abandon(); // within withoutWaiting, a closing may leave the loader open
        }
        return count;
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        return session().changes().put(key, value, Condition.ABSENT);
    }

    /**
     * Puts a value that expires as {@link #set(Object, Object, Duration)} says, if the key has none; returns the value that
     * the key had, which keeps its own expiry.
     */
    public @Nullable V putIfAbsent(K key, V value, Duration lifetime) {
        return session().changes().put(key, value, lifetime, Condition.ABSENT);
    }

    /**
     * Puts a value that expires as {@link #set(Object, Object, Instant)} says, if the key has none; returns the value that
     * the key had, which keeps its own expiry.
     */
    public @Nullable V putIfAbsent(K key, V value, Instant expiry) {
        return session().changes().put(key, value, Objects.requireNonNull(expiry, "expiry"), Condition.ABSENT);
    }

    @Override
    public @Nullable V replace(K key, V value) {
        return session().changes().put(key, value, Condition.PRESENT);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return session().changes().replace(key, oldValue, newValue);
    }

    /** Removes a key without reading its value; returns whether it had one. */
    public boolean delete(K key) {
        return session().changes().delete(key);
    }

    @Override
    public @Nullable V remove(Object key) {
        return session().changes().remove(this.<K>cast(key));
    }

    @Override
    public boolean remove(Object key, @Nullable Object value) {
        Objects.requireNonNull(key, "key");
        return value != null && session().changes().remove(this.<K>cast(key), this.<V>cast(value));
    }

    /**
     * Returns whether a key has a value; it looks at every entry until it finds one.
     *
     * @throws NullPointerException if the value is null
     */
    @Override
    public boolean containsValue(Object value) {
        Objects.requireNonNull(value, "value");
        for (K key : keySet()) {
            if (contains(key, value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the bytes of a key. */
    ByteBuffer keyBytes(Object key) {
        return session().lookups().keyBytes(this.<K>cast(key));
    }

    /** Returns the bytes of a value. */
    ByteBuffer valueBytes(Object value) {
        return session().lookups().valueBytes(this.<V>cast(value));
    }

    /** Returns whether an entry is present; values are compared by their bytes. */
    boolean contains(Object key, Object value) {
        return session().lookups().contains(this.<K>cast(key), this.<V>cast(value));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // a codec of another type refuses it
    private <T> T cast(Object object) {
        return (T) Objects.requireNonNull(object);
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
        return session().computations().compute(key, remapping);
    }

    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> mapping) {
        return session().computations().computeIfAbsent(key, mapping);
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remapping) {
        Objects.requireNonNull(remapping, "remapping");
        return session()
                .computations()
                .compute(key, (same, found) -> found == null ? null : remapping.apply(same, found));
    }

    @Override
    public @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remapping) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(remapping, "remapping");
        return session()
                .computations()
                .compute(key, (same, found) -> found == null ? value : remapping.apply(found, value));
    }

    /** Removes every entry that is present throughout, one by one. */
    @Override
    public void clear() {
        keySet().forEach(this::delete);
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

    /**
     * Returns whether another map has the same entries. An expired entry is none, in either map. The {@code equals} of another
     * class may compare by {@link #size}, which counts it.
     */
    @Override
    public boolean equals(@Nullable Object object) {
        return object == this || (object instanceof Map<?, ?> other && hasEntriesOf(other));
    }

    private boolean hasEntriesOf(Map<?, ?> other) {
        long count = 0;
        try {
            for (Map.Entry<K, V> entry : entrySet()) {
                if (!entry.getValue().equals(other.get(entry.getKey()))) {
                    return false;
                }
                count++;
            }
        } catch (ClassCastException | NullPointerException e) { // a key of another type
            return false;
        }
        return count == (other instanceof LarderMap<?, ?> map ? new KeyView<>(map).count(count) : other.size());
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    /** Removes the entries that pass a test, unless their value has changed since. */
    boolean removeEach(Predicate<? super Map.Entry<K, V>> test) {
        boolean any = false;
        for (Iterator<Map.Entry<K, V>> entries = iterator(); entries.hasNext(); ) {
            Map.Entry<K, V> entry = entries.next();
            any |= test.test(entry) && remove(entry.getKey(), entry.getValue());
        }
        return any;
    }

    EntryIterator<K, V> iterator() {
        return new EntryIterator<>(this, session().walk());
    }

    /**
     * Passes on some keys, and returns the cursor with which the next call continues; 0 at the end. The first call takes 0. The
     * map stores nothing for a scan, so a scan may be given up, or continue in another process or after a restart.
     *
     * {@snippet :
     * long cursor = 0;
     * do {
     *     cursor = map.scanKeys(cursor, 100, key -> System.out.println(key));
     * } while (cursor != 0);
     * }
     *
     * <p>A key that is present from the first call to the last comes at least once, however the map grows or shrinks
     * meanwhile. A key may come twice if the index has changed between two calls.
     *
     * @param cursor 0, or the result of the previous call. Another number of that range is a place where some scan could be
     * @param least the least number of keys to pass on, unless the end comes first. The call passes on at most about a page of
     *     the index more
     * @throws IllegalArgumentException if the number cannot be a cursor, or the least number is below 1
     */
    public long scanKeys(long cursor, int least, Consumer<? super K> handler) {
        if (least < 1) {
            throw new IllegalArgumentException(directory + ": a scan of " + least + " keys; the least is 1");
        }
        EntryWalk<K, V> walk = session().walk(cursor);
        int passed = 0;
        int step = 0;
        while (passed < least && step >= 0) {
            step = walk.nextKeys(handler);
            passed += Math.max(step, 0);
        }
        return walk.cursor();
    }

    /**
     * Passes on some keys whose entries have expired and still count in {@link #longSize}. Returns the cursor with which the
     * next call continues; 0 at the end. It looks at some entries of each page of the index, and at all of a page if one has
     * expired. So one scan may miss a key, and repeated scans find it.
     *
     * @param cursor 0, or the result of the previous call
     * @param goesOn asked before each entry but the first; if it returns false, the call returns
     * @param handler receives each key, and may remove it with {@link #removeExpired}
     * @throws IllegalArgumentException if the number cannot be a cursor
     */
    public long scanExpired(long cursor, RandomGenerator random, BooleanSupplier goesOn, Consumer<? super K> handler) {
        EntryWalk<K, V> walk = session().walk(cursor);
        int looked;
        do {
            looked = walk.nextExpired(EXPIRY_SAMPLE, random, goesOn, handler);
        } while (looked >= 0 && goesOn.getAsBoolean());
        return walk.cursor();
    }

    /**
     * Removes the entry of a key if it has expired, and returns whether there was one. For readers the entry is gone already.
     * It takes space, and counts in {@link #longSize}, until the cleaner reaches it.
     */
    public boolean removeExpired(K key) {
        return session().changes().removeExpired(key);
    }

    /** Returns whether this process has met or put an entry that expires. */
    public boolean hasMetExpiry() {
        return session().hasMetExpiry();
    }

    /** Returns whether {@link #scanKeys} accepts a number as a cursor. */
    public static boolean isCursor(long number) {
        return IndexWalk.isCursor(number);
    }

    /** Returns a cursor at random, for samples: each key is about as likely to be near it as any other. */
    public static long randomCursor(RandomGenerator random) {
        return IndexWalk.randomCursor(random);
    }

    /** Returns the number of entries, at most {@code Integer.MAX_VALUE}. */
    @Override
    public int size() {
        return (int) Math.min(longSize(), Integer.MAX_VALUE);
    }

    /**
     * Returns the number of entries. A concurrent change may be counted or not. An expired entry counts until the
     * cleaner reaches its segment.
     */
    public long longSize() {
        return session().count();
    }

    /**
     * Returns the bytes of the records of all entries: keys, values and headers. Concurrent changes and expired entries count
     * as in {@link #longSize}.
     */
    public long liveBytes() {
        return session().liveBytes();
    }

    /**
     * Sets whether this process records which entries it uses, for {@link #takeUse}. A map that evicts always does.
     *
     * @throws dev.larder.log.ReadOnlyException if the map was opened read-only
     */
    public void noteUses(boolean noted) {
        session().noteUses(noted);
    }

    /**
     * Returns whether the entry of a key was used while uses are recorded, and resets that. So the next call reports uses since
     * this one. It is for a caller that chooses entries to remove. The call does not count as a use; a put makes an entry that
     * was not used yet.
     */
    public boolean takeUse(K key) {
        return session().lookups().takeVisit(key);
    }

    @Override
    public boolean isEmpty() {
        MapSession<K, V> open = session();
        boolean none = open.isCountSure() && open.count() == 0;
        return none || !keySet().iterator().hasNext();
    }

    /**
     * Makes every change before the call durable. The errors are those of {@link Log#sync}.
     *
     * @throws IllegalStateException within the writing of a value, by a codec or by {@link #write}
     */
    public void sync() {
        session().sync();
    }

    /**
     * Makes every change before the call durable, and returns the position of the log behind them, for
     * {@link MapOptions#restorePoint}. To keep several maps at one moment, call this for each map while no thread changes any
     * of them, and store all positions together.
     */
    public long restorePoint() {
        return session().restorePoint();
    }

    /**
     * Promises that no later opening goes back before a position, by {@link MapOptions#restorePoint}. The map may then give
     * back the space that only earlier points need.
     *
     * @throws IllegalStateException if the map was opened without a restore point
     * @throws IllegalArgumentException if the position lies behind the end of the log
     */
    public void keepFrom(long restorePoint) {
        session().keepFrom(restorePoint);
    }

    /** Returns the parts by which pending records are appended and read; for other classes of this module. */
    PendingHome<K, V> pending() {
        return session().pending();
    }

    /**
     * Writes a checkpoint of the index. An opening after a crash then reads only the log after this call. It syncs.
     * Changes continue meanwhile, and no thread waits.
     */
    public void checkpoint() {
        session().checkpoint();
    }

    /**
     * Lets the last closing in this JVM write no checkpoint, so that it ends sooner. The next opening then reads all of the log
     * since the checkpoint before.
     */
    public void leaveOutLastCheckpoint() {
        session().leaveOutLastCheckpoint();
    }

    /**
     * Gives the space of overwritten and removed entries back. It ends when their bytes are at most 3 % of the live bytes, or
     * after one pass over the log. If entries expire, it always makes the whole pass. It moves live records and syncs. Changes
     * continue meanwhile.
     *
     * @throws dev.larder.memory.CorruptException if a record fails its check; it stays where it is
     */
    public void compact() {
        session().compact();
    }

    /**
     * Returns a snapshot of the map at this moment, which can be read until it is closed. It copies the index, not the
     * entries. Changes continue meanwhile.
     *
     * @throws dev.larder.log.LogBusyException if another process is stopped within a change for 10 s
     * @throws dev.larder.memory.DiskFullException if there is no memory for the copy
     * @throws IllegalStateException if 64 snapshots are open in this process
     */
    public MapSnapshot<K, V> snapshot() {
        return session().snapshot(this);
    }

    /** Returns the map's identity, size and state. */
    public MapInfo info() {
        return session().info();
    }

    /**
     * Closes the map, and its snapshots. Other threads that use this object then get a {@link ClosedException}.
     *
     * <p>The last opening in this JVM to close waits for changes in progress. It writes a checkpoint if no other process has
     * the map open and the map was changed since the last one. Until then, loaders of this object remain usable, and its
     * iterators can still read. {@code remove} of an iterator and {@code setValue} of its entries throw a
     * {@link ClosedException}.
     */
    @Override
    public void close() {
        MapSession<K, V> open = session;
        if (open != null) {
            open.requireClosable();
            synchronized (closing) { // a second closing waits for the first
                if (SESSION.compareAndSet(this, open, null)) {
                    ClosingSteps steps = new ClosingSteps();
                    steps.take("snapshots", () -> open.closeSnapshotsOf(this));
                    steps.take("opening", closing);
                    steps.end();
                }
            }
        }
    }
}
