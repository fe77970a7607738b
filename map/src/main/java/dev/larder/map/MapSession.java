package dev.larder.map;

import dev.larder.log.GoneException;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.LogRecords;
import dev.larder.log.Position;
import dev.larder.log.RecordHandler;
import dev.larder.log.Steps;
import dev.larder.log.ValueCodec;
import dev.larder.log.ValueMismatchException;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.ClosedException;
import dev.larder.memory.DiskFullException;
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
    private final Epochs changes = new Epochs();
    private final Epochs reads = new Epochs();
    private final Index index;
    private final Cleaner cleaner;
    private final Space space;
    private final EntryStore store;
    private final Checkpoint image;
    private final @Nullable CleanerThread thread;
    private final ThreadLocal<Desk<K, V>> desks = ThreadLocal.withInitial(this::newDesk);
    private volatile boolean closed;

    private MapSession(
            MapFiles files, LogOptions options, Cleaning cleaning, ValueCodec<K> keys, ValueCodec<V> values) {
        this.files = files;
        this.options = options;
        this.keys = keys;
        this.values = values;
        this.seed = files.map().seed();
        this.records = files.records();
        long largest = files.log().info().largestSegmentBytes();
        Steps steps = options.doors().steps();
        Places places = new Places(largest, records.firstSegment());
        this.index = new Index(records, places, new Directory(), new IndexMemory(changes));
        this.cleaner = new Cleaner(files.log(), records, index, changes, reads, this::claimed, steps, seed);
        this.space = new Space(files.directory(), records, index, cleaning, largest, cleaner);
        this.store = new EntryStore(files.directory(), index, records, this::claimed, steps);
        this.image = new Checkpoint(files.log(), options, seed);
        this.thread = cleaning.background()
                ? new CleanerThread(String.valueOf(files.directory().getFileName()), space, cleaner)
                : null;
    }

    static <K, V> MapSession<K, V> open(
            Path directory, ValueCodec<K> keys, ValueCodec<V> values, LogOptions options, Cleaning cleaning) {
        MapFiles files = MapFiles.open(directory, options);
        try {
            MapSession<K, V> session = new MapSession<>(files, options, cleaning, keys, values);
            session.load();
            return session;
        } catch (RuntimeException | Error e) {
            files.close();
            throw e;
        }
    }

    private void load() {
        try {
            new Replay(files.log(), store, seed).run(image.load(index, records));
            space.look();
            if (thread != null) {
                space.tell(thread::signal);
                thread.start();
            }
        } catch (RuntimeException | Error e) {
            index.memory().close();
            throw e;
        }
    }

    private void claimed(long position) {
        space.claimed(position);
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

    /**
     * Returns this thread's desk, pinned: nothing that it finds goes before it leaves. Waits first until there is space,
     * unless the thread is pinned already: a codec of the user's came back here, in the midst of a change, and whoever makes
     * space would wait for that.
     */
    private Desk<K, V> enterToChange(boolean removal) {
        Desk<K, V> desk = enter();
        try {
            if (!isNested(desk)) {
                space.await(removal);
            }
            pin(desk);
            return desk;
        } catch (RuntimeException | Error e) {
            leave(desk);
            throw e;
        }
    }

    private boolean isNested(Desk<K, V> desk) {
        Desk<K, V> own = desks.get();
        return desk != own && own.line != Desk.NO_LINE;
    }

    private void pin(Desk<K, V> desk) {
        desk.line = changes.pin();
        if (desk.line == Desk.NO_LINE) {
            throw closed(null);
        }
    }

    private void unpin(Desk<K, V> desk) {
        if (desk.line != Desk.NO_LINE) {
            changes.unpin(desk.line);
            desk.line = Desk.NO_LINE;
        }
    }

    private void leave(Desk<K, V> desk) {
        unpin(desk);
        desk.leave();
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
        return closed ? closed(met) : (RuntimeException) met;
    }

    /** Passes on what a reader has found, unless one of its accesses was not served. */
    private <T extends @Nullable Object> T delivered(T found) {
        AccessErrors.deliver();
        return found;
    }

    /** What is done with what was found; again, where that was dropped meanwhile. */
    @FunctionalInterface
    private interface Look<K, V, T extends @Nullable Object> {
        T at(MapSession<K, V> session, Desk<K, V> desk);
    }

    /**
     * Looks for a key, without a pin: what was found may be dropped at any time, and finds its memory unmapped then, never
     * with other bytes. Then it is somewhere else, or nowhere.
     */
    private <T extends @Nullable Object> T look(K key, Look<K, V, T> then) {
        Desk<K, V> desk = enter();
        try {
            desk.key(Objects.requireNonNull(key, "key"), seed);
            while (true) {
                try {
                    store.find(desk.probe);
                    return delivered(then.at(this, desk));
                } catch (IllegalStateException | InternalError | GoneException e) {
                    requireDropped(desk.probe, e);
                }
            }
        } finally {
            desk.leave();
        }
    }

    /** Throws what an error means, unless it is that the record which was found was dropped. */
    private void requireDropped(Probe found, Throwable met) {
        if (closed || found.position < 0 || Position.segment(found.position) >= records.firstSegment()) {
            throw explain(met);
        }
    }

    @Nullable
    V get(K key) {
        return this.<@Nullable V>look(key, (session, desk) -> desk.probe.isPresent() ? session.value(desk) : null);
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
        return look(key, (session, desk) -> desk.probe.isPresent());
    }

    boolean contains(K key, V value) {
        return look(key, (session, desk) -> {
            desk.wanted(value);
            return session.isWanted(desk);
        });
    }

    private boolean isWanted(Desk<K, V> desk) {
        Probe probe = desk.probe;
        return probe.isPresent()
                && desk.isWanted(records.bytes(probe.position), LogRecords.payload(probe.position), probe.length);
    }

    /** Pinned, so that the bytes stay as long as the handler looks at them; it may use the map, and nothing waits for it. */
    boolean read(K key, RecordHandler handler) {
        int line = reads.pinAnyway();
        try {
            long position = -1;
            int length = 0;
            Desk<K, V> desk = enter();
            try {
                desk.key(Objects.requireNonNull(key, "key"), seed);
                store.find(desk.probe);
                if (desk.probe.isPresent()) {
                    position = desk.probe.position;
                    length = desk.probe.length;
                }
                AccessErrors.deliver();
            } finally {
                desk.leave();
            }
            if (position >= 0) {
                hand(position, length, handler);
            }
            return position >= 0;
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            reads.unpin(line);
        }
    }

    private void hand(long position, int length, RecordHandler handler) {
        MemorySegment record = records.bytes(position);
        long at = LogRecords.payload(position);
        int before = EntryLayout.HEADER_BYTES + EntryLayout.keyLength(record, at);
        handler.onRecord(record, at + before, length - before);
        AccessErrors.deliver();
    }

    void set(K key, V value) {
        Desk<K, V> desk = enterToChange(false);
        try {
            put(desk, key, value, Condition.ALWAYS);
        } finally {
            leave(desk);
        }
    }

    /** Returns the value that was there before, whether it was replaced or not. */
    @Nullable
    V put(K key, V value, Condition condition) {
        Desk<K, V> desk = enterToChange(false);
        try {
            put(desk, key, value, condition);
            return delivered(desk.probe.isPresent() ? value(desk) : null);
        } catch (InternalError e) {
            throw records.accessFailed(e);
        } finally {
            leave(desk);
        }
    }

    private boolean put(Desk<K, V> desk, K key, V value, Condition condition) {
        Objects.requireNonNull(value, "value");
        desk.key(Objects.requireNonNull(key, "key"), seed);
        return change(desk, false, desk.value(value), condition);
    }

    private boolean remove(Desk<K, V> desk, K key, Condition condition) {
        desk.key(key, seed);
        return change(desk, true, 0, condition);
    }

    /** Makes a change; where the disk is full it lets go, makes room, and tries again. */
    private boolean change(Desk<K, V> desk, boolean removal, int length, Condition condition) {
        for (int tries = 0; ; tries++) {
            try {
                return removal ? store.remove(desk.probe, condition) : store.put(desk.probe, length, desk, condition);
            } catch (DiskFullException e) {
                if (isNested(desk)) {
                    throw e;
                }
                unpin(desk);
                space.makeRoom(e, tries);
                pin(desk);
            }
        }
    }

    boolean replace(K key, V oldValue, V newValue) {
        Desk<K, V> desk = enterToChange(false);
        try {
            desk.wanted(Objects.requireNonNull(oldValue, "oldValue"));
            return put(desk, key, newValue, probe -> isWanted(desk));
        } finally {
            leave(desk);
        }
    }

    @Nullable
    V remove(K key) {
        Desk<K, V> desk = enterToChange(true);
        try {
            return delivered(remove(desk, key, Condition.ALWAYS) ? value(desk) : null);
        } catch (InternalError e) {
            throw records.accessFailed(e);
        } finally {
            leave(desk);
        }
    }

    boolean remove(K key, V value) {
        Desk<K, V> desk = enterToChange(true);
        try {
            desk.wanted(value);
            return remove(desk, key, probe -> isWanted(desk));
        } finally {
            leave(desk);
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
        return look(
                key,
                (session, desk) ->
                        new Former<>(desk.probe.isPresent() ? session.value(desk) : null, desk.probe.state()));
    }

    private boolean exchange(K key, Former<V> former, @Nullable V value) {
        Desk<K, V> desk = enterToChange(value == null);
        try {
            Condition unchanged = Condition.unchanged(former.state());
            return value == null ? remove(desk, key, unchanged) : put(desk, key, value, unchanged);
        } finally {
            leave(desk);
        }
    }

    /** Fills a list with the entries of the next step; returns false at the end of the index. */
    boolean nextEntries(IndexWalk walk, EntryList entries) {
        checkOpen();
        entries.clear();
        int line = reads.pinAnyway(); // before the words are looked at, until their keys are known
        try {
            boolean any = nextWords(walk, entries);
            for (int i = 0; i < entries.count(); i++) {
                long position = entries.position(i);
                records.length(position); // checks what comes from the disk
                entries.takeKey(i, records.bytes(position), LogRecords.payload(position));
            }
            return delivered(any);
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            reads.unpin(line);
        }
    }

    private boolean nextWords(IndexWalk walk, EntryList entries) {
        int line = changes.pinAnyway();
        try {
            return walk.next((step, place) -> step.forEach((group, word) -> {
                if (IndexWord.isAlive(word)) {
                    entries.add(index.places().position(IndexWord.place(word)));
                }
            }));
        } finally {
            changes.unpin(line);
        }
    }

    IndexWalk walk() {
        return new IndexWalk(index);
    }

    /** Returns an entry of a list; null where its record was dropped since, and the key has none any more. */
    Map.@Nullable Entry<K, V> entry(EntryList entries, int entry) {
        Desk<K, V> desk = enter();
        int line = reads.pinAnyway();
        try {
            Probe probe = desk.probe;
            long position = entries.position(entry);
            if (Position.segment(position) >= records.firstSegment()) {
                return delivered(entry(desk, position, records.length(position)));
            }
            entries.giveKey(entry, probe);
            probe.hash(seed);
            store.find(probe);
            return delivered(probe.isPresent() ? entry(desk, probe.position, probe.length) : null);
        } catch (IllegalStateException | InternalError e) {
            throw explain(e);
        } finally {
            reads.unpin(line);
            desk.leave();
        }
    }

    private Map.Entry<K, V> entry(Desk<K, V> desk, long position, int length) {
        K key = desk.readKey(records.bytes(position), LogRecords.payload(position));
        return Map.entry(key, value(desk, position, length));
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
        image.write(index, changes);
    }

    /** Not while this thread is in the midst of a change: that would be waited for. */
    void compact() {
        checkOpen();
        if (desks.get().line != Desk.NO_LINE) {
            throw new IllegalStateException(files.directory() + ": a codec cannot have the map compacted");
        }
        space.compact();
    }

    MapInfo info() {
        checkOpen();
        Log log = files.log();
        return new MapInfo(index.count(), index.memory().steps(), index.memory().bytes(), space.info(), log.info());
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (thread != null) {
            thread.stop();
        }
        changes.end();
        try {
            cleaner.end();
            image.write(index, changes);
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
