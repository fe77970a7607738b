package dev.larder.map;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRecords;
import dev.larder.log.Position;
import dev.larder.log.RecordHandler;
import dev.larder.log.ValueCodec;
import dev.larder.log.ValueMismatchException;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.LarderException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What a process holds open of a map: its files, its index, and the threads' desks. */
final class MapSession<K, V> implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.map");

    private final MapFiles files;
    private final LogOptions options;
    private final ValueCodec<K> keys;
    private final ValueCodec<V> values;
    private final long seed;
    private final LogRecords records;
    private final Epochs epochs = new Epochs();
    private final Index index;
    private final EntryStore store;
    private final Checkpoint image;
    private final ThreadLocal<Desk<K, V>> desks = ThreadLocal.withInitial(this::newDesk);
    private volatile boolean closed;

    private MapSession(MapFiles files, LogOptions options, ValueCodec<K> keys, ValueCodec<V> values) {
        this.files = files;
        this.options = options;
        this.keys = keys;
        this.values = values;
        this.seed = files.map().seed();
        this.records = files.records();
        Places places = new Places(files.log().info().largestSegmentBytes(), records.firstSegment());
        this.index = new Index(records, places, new Directory(), new IndexMemory(epochs));
        this.store = new EntryStore(
                files.directory(), index, records, epochs, options.doors().steps());
        this.image = new Checkpoint(files.log(), options, seed);
    }

    static <K, V> MapSession<K, V> open(Path directory, ValueCodec<K> keys, ValueCodec<V> values, LogOptions options) {
        MapFiles files = MapFiles.open(directory, options);
        try {
            MapSession<K, V> session = new MapSession<>(files, options, keys, values);
            session.load();
            return session;
        } catch (RuntimeException | Error e) {
            files.close();
            throw e;
        }
    }

    private void load() {
        try {
            new Replay(files.log(), store, seed).run(image.load(index));
        } catch (RuntimeException | Error e) {
            index.memory().close();
            throw e;
        }
    }

    private Desk<K, V> newDesk() {
        return new Desk<>(files.directory(), options, keys, values);
    }

    /** Returns this thread's desk; another one when it is in use: a codec or a function of the user's came back here. */
    private Desk<K, V> enter() {
        checkOpen();
        Desk<K, V> desk = desks.get();
        if (desk.probe.busy) {
            desk = newDesk();
        }
        desk.probe.busy = true;
        return desk;
    }

    private void checkOpen() {
        if (closed) {
            throw closed(null);
        }
    }

    private ClosedException closed(@Nullable Throwable cause) {
        String text = files.directory() + ": the map was closed";
        return cause == null ? new ClosedException(text) : new ClosedException(text, cause);
    }

    /** Returns what it means that memory could not be accessed: it was given back, or the system could not serve it. */
    private RuntimeException explain(Throwable met) {
        if (met instanceof InternalError error) {
            return records.accessFailed(error);
        }
        return closed ? closed(met) : (IllegalStateException) met;
    }

    /** Passes on what a reader has found, unless one of its accesses was not served. */
    private <T extends @Nullable Object> T delivered(T found) {
        AccessErrors.deliver();
        return found;
    }

    private boolean find(Desk<K, V> desk, K key) {
        desk.key(Objects.requireNonNull(key, "key"), seed);
        store.find(desk.probe);
        return desk.probe.isPresent();
    }

    @Nullable
    V get(K key) {
        Desk<K, V> desk = enter();
        try {
            return delivered(find(desk, key) ? value(desk) : null);
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            desk.leave();
        }
    }

    private V value(Desk<K, V> desk) {
        return value(desk, desk.probe.position, desk.probe.length);
    }

    private V value(Desk<K, V> desk, long position, int length) {
        try {
            return desk.readValue(records.bytes(position), LogRecords.payload(position), length);
        } catch (ValueMismatchException e) {
            throw new ValueMismatchException(
                    files.directory() + ": the value at position " + Position.toString(position) + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    boolean contains(K key) {
        Desk<K, V> desk = enter();
        try {
            return delivered(find(desk, key));
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            desk.leave();
        }
    }

    boolean contains(K key, V value) {
        Desk<K, V> desk = enter();
        try {
            desk.wanted(value);
            return delivered(find(desk, key) && isWanted(desk));
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            desk.leave();
        }
    }

    private boolean isWanted(Desk<K, V> desk) {
        Probe probe = desk.probe;
        return probe.isPresent()
                && desk.isWanted(records.bytes(probe.position), LogRecords.payload(probe.position), probe.length);
    }

    boolean read(K key, RecordHandler handler) {
        long position = -1;
        int length = 0;
        Desk<K, V> desk = enter();
        try {
            if (find(desk, key)) {
                position = desk.probe.position;
                length = desk.probe.length;
            }
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            desk.leave();
        }
        if (position >= 0) {
            hand(position, length, handler);
        }
        return position >= 0;
    }

    /** Outside: the handler may use the map. */
    private void hand(long position, int length, RecordHandler handler) {
        MemorySegment record = records.bytes(position);
        long at = LogRecords.payload(position);
        int before = EntryLayout.HEADER_BYTES + EntryLayout.keyLength(record, at);
        try {
            handler.onRecord(record, at + before, length - before);
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw records.accessFailed(e);
        }
    }

    void set(K key, V value) {
        Desk<K, V> desk = enter();
        try {
            put(desk, key, value, Condition.ALWAYS);
        } finally {
            desk.leave();
        }
    }

    /** Returns the value that was there before, whether it was replaced or not. */
    @Nullable
    V put(K key, V value, Condition condition) {
        Desk<K, V> desk = enter();
        try {
            put(desk, key, value, condition);
            return delivered(desk.probe.isPresent() ? value(desk) : null);
        } catch (InternalError e) {
            throw records.accessFailed(e);
        } finally {
            desk.leave();
        }
    }

    private boolean put(Desk<K, V> desk, K key, V value, Condition condition) {
        Objects.requireNonNull(value, "value");
        desk.key(Objects.requireNonNull(key, "key"), seed);
        return store.put(desk.probe, desk.value(value), desk, condition);
    }

    boolean replace(K key, V oldValue, V newValue) {
        Desk<K, V> desk = enter();
        try {
            desk.wanted(Objects.requireNonNull(oldValue, "oldValue"));
            return put(desk, key, newValue, probe -> isWanted(desk));
        } finally {
            desk.leave();
        }
    }

    @Nullable
    V remove(K key) {
        Desk<K, V> desk = enter();
        try {
            desk.key(key, seed);
            return delivered(store.remove(desk.probe, Condition.ALWAYS) ? value(desk) : null);
        } catch (InternalError e) {
            throw records.accessFailed(e);
        } finally {
            desk.leave();
        }
    }

    boolean remove(K key, V value) {
        Desk<K, V> desk = enter();
        try {
            desk.key(key, seed);
            desk.wanted(value);
            return store.remove(desk.probe, probe -> isWanted(desk));
        } finally {
            desk.leave();
        }
    }

    /** Runs a function on what is there, and puts what it returns unless something was changed meanwhile; then again. */
    @Nullable
    V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remapping) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(remapping, "remapping");
        while (true) {
            Former<V> former = former(key);
            V value = remapping.apply(key, former.value());
            boolean nothing = value == null && former.value() == null;
            if (nothing || exchange(key, former, value)) {
                return value;
            }
        }
    }

    /** What stands for a key: the value, where there is one, and the state that no later one is equal to. */
    private record Former<V>(@Nullable V value, long state) {}

    private Former<V> former(K key) {
        Desk<K, V> desk = enter();
        try {
            boolean present = find(desk, key);
            return delivered(new Former<>(present ? value(desk) : null, desk.probe.state()));
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            desk.leave();
        }
    }

    private boolean exchange(K key, Former<V> former, @Nullable V value) {
        Desk<K, V> desk = enter();
        try {
            Condition unchanged = Condition.unchanged(former.state());
            if (value != null) {
                return put(desk, key, value, unchanged);
            }
            desk.key(key, seed);
            return store.remove(desk.probe, unchanged);
        } finally {
            desk.leave();
        }
    }

    /** Fills words of entries into an array that grows; returns how many, -1 at the end of the index. */
    boolean nextWords(IndexWalk walk, WordList words) {
        checkOpen();
        words.clear();
        int line = epochs.pinAnyway();
        try {
            return walk.next((step, place) -> step.forEach((group, word) -> words.addAlive(word)));
        } finally {
            epochs.unpin(line);
        }
    }

    IndexWalk walk() {
        return new IndexWalk(index);
    }

    /** Returns the entry that a word of the index names. */
    Map.Entry<K, V> entry(long word) {
        Desk<K, V> desk = enter();
        try {
            long position = index.places().position(IndexWord.place(word));
            int length = records.length(position);
            K key = desk.readKey(records.bytes(position), LogRecords.payload(position));
            return delivered(Map.entry(key, value(desk, position, length)));
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            desk.leave();
        }
    }

    long count() {
        checkOpen();
        return index.count();
    }

    void sync() {
        checkOpen();
        files.log().sync();
    }

    synchronized void checkpoint() {
        checkOpen();
        image.write(index, epochs);
    }

    MapInfo info() {
        checkOpen();
        Log log = files.log();
        return new MapInfo(index.count(), index.memory().steps(), index.memory().bytes(), log.info());
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        epochs.end();
        try {
            image.write(index, epochs);
        } catch (LarderException e) { // the last image is as good, and costs a longer replay
            LOGGER.log(System.Logger.Level.WARNING, "no checkpoint was made: " + e.getMessage());
        } finally {
            try {
                files.close();
            } finally {
                index.memory().close();
            }
        }
    }
}
