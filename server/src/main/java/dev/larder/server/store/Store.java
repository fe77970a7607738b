package dev.larder.server.store;

import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapInfo;
import dev.larder.map.MapOptions;
import dev.larder.map.RemovalCause;
import dev.larder.map.pending.PendingValues;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamEnds;
import dev.larder.server.stream.StreamFolder;
import dev.larder.server.stream.UnnamedStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one database and their values. Strings are the plain bytes of a {@link LarderMap}, so a JVM on the same host can
 * read them as {@code LarderMap<byte[], byte[]>}.
 *
 * <pre>
 * DIRECTORY/strings     a map: key to bytes
 * DIRECTORY/streams     the streams, once there was one: see StreamNames
 * DIRECTORY/kept        the moment at which the store is kept, if it is: see KeptPoint
 * </pre>
 *
 * <p>A store uses no socket, no thread and no clock but the one that it is given. So two stores that get the same changes at
 * the same times hold the same keys. Single calls are thread-safe. A caller that reads a key and then changes it must hold the
 * key's slot.
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Store implements AutoCloseable {

    /** The result of {@link #read} for a missing key. */
    public static final int ABSENT = -1;

    /** The result of {@link #deadline} for a key that does not expire. */
    public static final long ENDLESS = -1;

    /** The result of {@link #deadline} for a missing key. */
    public static final long NO_KEY = -2;

    /** The largest length of a key, in bytes. */
    public static final int KEY_MAX_BYTES = 65_535;

    static final String STRINGS = "strings";
    static final String STREAMS = "streams";

    private static final int SHARE_OF_SEGMENT = 4;

    /** The space of a record beside its value. */
    private static final int RECORD_ROOM_BYTES = KEY_MAX_BYTES + 1024;

    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final LarderMap<Bytes, Bytes> strings;
    private final InstantSource clock;

    private final LazyStreams streams;
    private final int valueMaxBytes;
    private final boolean bounded;
    private final MissedKeys missed = new MissedKeys();
    private final KeyScan keys;
    private final StoreWaits waits;
    private final StringsMemory memory;
    private final LookUps lookUps = new LookUps();
    private final LongAdder expired = new LongAdder();
    private final @Nullable KeptStore kept;
    private volatile int index;
    private volatile ChangeListener listener = (store, key, event) -> {};
    private volatile ChangeListener waiters = (store, key, event) -> {};

    private final StoreOptions options;
    private final Runnable syncStrings;

    /** Strings that were written before their keys; null if the options exclude them. */
    private final @Nullable PendingStrings pending;

    private Store(
            int index, Path directory, LarderMap<Bytes, Bytes> strings, StoreOptions options, @Nullable Keeper keeper) {
        this.index = index;
        this.options = options;
        this.strings = strings;
        this.syncStrings = strings::sync;
        this.pending = options.pending() ? new PendingStrings(PendingValues.of(strings)) : null;
        strings.lossListener(
                (key, cause) -> tell(key, cause == RemovalCause.EXPIRED ? KeyEvent.EXPIRED : KeyEvent.EVICTED));
        this.streams = new LazyStreams(
                directory.resolve(STREAMS), options, keeper, strings::containsKey, key -> tell(key, KeyEvent.EXPIRED));
        this.clock = options.clock();
        this.keys = new KeyScan(strings, streams, missed);
        this.waits = new StoreWaits(strings, streams);
        this.memory = new StringsMemory(strings, options.evicts(), key -> tell(key, KeyEvent.EVICTED));
        this.kept = keeper == null ? null : new KeptStore(keeper, strings, streams, clock);
        this.bounded = options.maxBytes().isPresent();
        this.valueMaxBytes = (int)
                Math.min(options.segmentBytes() / SHARE_OF_SEGMENT - RECORD_ROOM_BYTES, Integer.MAX_VALUE - (64 << 10));
    }

    /**
     * Opens the store in a directory, and creates it if it is missing.
     *
     * @param index the number of the database
     */
    public static Store open(int index, Path directory, StoreOptions options) {
        Cleaning cleaning = Cleaning.defaults();
        if (options.maxBytes().isPresent()) {
            long most = options.maxBytes().getAsLong();
            cleaning = options.evicts() ? Cleaning.evicting(most) : cleaning.withMaxBytes(most);
        }
        MapOptions map = MapOptions.defaults()
                .withLog(options.log().withSync(options.sync()).withLargestSegmentBytes(options.segmentBytes()))
                .withCleaning(cleaning)
                .withTime(options.time())
                .withCounted(true);
        if (options.pending()) {
            map = PendingValues.in(map);
        }
        @Nullable Keeper keeper = options.kept() ? new Keeper(directory, options) : null;
        if (keeper != null) {
            map = keeper.options(map, keeper.point().strings());
        }
        Store store = new Store(
                index,
                directory,
                LarderMap.open(directory.resolve(STRINGS), BytesCodec.INSTANCE, BytesCodec.INSTANCE, map),
                options,
                keeper);
        try {
            store.streams.openIfThere();
            store.memory.measureIndex();
            return store;
        } catch (RuntimeException | Error e) {
            store.strings.close();
            throw e;
        }
    }

    /**
     * Sets the executors for slow work on streams. Until then, the calling thread does that work itself.
     *
     * @param files deletes files of removed streams; it may block for long
     * @param flushes syncs queues so that their journal can forget entries
     */
    public void background(Executor files, Executor flushes) {
        streams.background(files, flushes);
    }

    /** Returns how many entries approximate trimming of a stream removes at once; 0 if it removes none. */
    public int streamNodeEntries() {
        return streams.nodeEntries();
    }

    /** Sets how many entries approximate trimming of a stream removes at once: {@code stream-node-max-entries}. */
    public void setStreamNodeEntries(int count) {
        streams.setNodeEntries(count);
    }

    /**
     * Sets whether entries of streams are written to a journal as well, so that {@link #sync} flushes one file for all
     * streams. This suits a server that syncs after each change.
     */
    public void setStreamJournals(boolean now) {
        streams.setJournals(now);
    }

    /** Returns the scans over all keys. */
    public KeyScan keys() {
        return keys;
    }

    /** Returns the waits of this store: for room, and for the disk. */
    public StoreWaits waits() {
        return waits;
    }

    /** Returns the memory of the strings. */
    public StringsMemory memory() {
        return memory;
    }

    /** Returns how often commands have found keys. */
    public LookUps lookUps() {
        return lookUps;
    }

    /**
     * Returns the moments at which the store is kept.
     *
     * @throws IllegalStateException if the options do not keep the store
     */
    public KeptStore kept() {
        if (kept == null) {
            throw new IllegalStateException("the options of this store have no kept moments");
        }
        return kept;
    }

    /** Returns the number of the database. */
    public int index() {
        return index;
    }

    /** Gives the store the number of another database, with which it was exchanged. */
    public void moveTo(int other) {
        index = other;
    }

    /** Sets the listener that gets events from now on. */
    public void listener(ChangeListener other) {
        listener = other;
    }

    /** Sets the listener that serves clients waiting for keys. It gets each event after {@link #listener}. */
    public void waiters(ChangeListener other) {
        waiters = other;
    }

    /** Reports an event of a key to the listeners. */
    public void tell(Bytes key, KeyEvent event) {
        if (event == KeyEvent.EXPIRED) {
            expired.increment();
        }
        listener.onEvent(this, key, event);
        waiters.onEvent(this, key, event);
    }

    /** Returns whether the listener needs an event whose detection costs a lookup. */
    public boolean hears(KeyEvent event) {
        return listener.hears(event);
    }

    /** Returns the store's time, in milliseconds since 1970. */
    public long nowMillis() {
        return clock.millis();
    }

    /**
     * Stops the time for this thread until the result is closed, so that a command has one time. Returns null if the store's
     * clock does so itself.
     */
    public CommandClock.@Nullable Held holdTime() {
        return clock instanceof CommandClock held ? held.hold() : null;
    }

    /** Returns how many bytes a value may have. */
    public int valueMaxBytes() {
        return valueMaxBytes;
    }

    /** Returns the type of a key. This does not count as a use of the key. */
    public KeyType type(Bytes key) {
        if (isString(key)) {
            return KeyType.STRING;
        }
        if (isStream(key)) {
            return KeyType.STREAM;
        }
        noteMissing(key);
        return KeyType.NONE;
    }

    /** Returns whether this key has a stream, even if a string has just replaced it. */
    public boolean holdsStream(Bytes key) {
        return isStream(key);
    }

    /** Returns whether a key holds a string. The faster lookup would count as a use of it. */
    private boolean isString(Bytes key) {
        return memory.notesUses() ? strings.version(key) >= 0 : strings.containsKey(key);
    }

    private boolean isStream(Bytes key) {
        StreamNames names = streams.ifOpen();
        return names != null && names.contains(key);
    }

    /** Returns whether a key exists. This does not count as a use of the key. */
    public boolean exists(Bytes key) {
        return type(key) != KeyType.NONE;
    }

    /** Returns whether a key exists, and counts as a use of it. */
    public boolean touch(Bytes key) {
        return strings.containsKey(key) || exists(key);
    }

    /** Records a missing key: it may have expired without an event. */
    private void noteMissing(Bytes key) {
        if (hasMetExpiry()) {
            missed.add(key);
        }
    }

    /**
     * Returns the stream of a key, locked for this thread until the thread closes it; null if there is no key.
     *
     * @throws WrongTypeException if the key holds something else
     */
    public @Nullable Stream stream(Bytes key) {
        StreamNames names = streams.ifOpen();
        Stream stream = names == null ? null : names.find(key);
        if (stream == null && strings.containsKey(key)) {
            throw new WrongTypeException();
        }
        return stream;
    }

    /**
     * Creates a stream for a missing key and returns it locked. If filling fails, the key stays missing.
     *
     * @param filling adds the first content of the stream
     */
    public Stream createStream(Bytes key, Consumer<? super Stream> filling) {
        ExpiredEntries.remove(strings, key);
        Stream stream = streams.open().create(key, filling);
        tellNew(key);
        return stream;
    }

    /** Puts a filled stream, whatever the key held. */
    public void putStream(Bytes key, long deadlineMillis, UnnamedStream stream) {
        StreamNames names = streams.open();
        names.put(key, deadlineMillis, stream, () -> removeString(key, () -> names.syncStream(key)));
        tellNew(key);
    }

    /** Takes the ends of all streams, as far as no thread uses one for long. */
    public void takeEnds(StreamEnds ends) {
        StreamNames names = streams.ifOpen();
        if (names != null) {
            ends.take(names.folder());
        }
    }

    /** Takes the ends of all streams, and waits for threads that use one. */
    public void takeAllEnds(StreamEnds ends) {
        StreamNames names = streams.ifOpen();
        if (names != null) {
            ends.takeAll(names.folder());
        }
    }

    /**
     * Returns the store at one moment. The ends of its streams were taken before. From then on to the end of this call, no
     * thread may change the store. Until the result is closed, none may delete files of streams.
     */
    public StoreMoment moment(StreamEnds ends) {
        return StoreMoment.of(options, strings.snapshot(), streams.ifOpen(), ends);
    }

    /**
     * Returns the strings that were written before their keys.
     *
     * @throws IllegalStateException if the options exclude pending strings
     */
    public PendingStrings pending() {
        if (pending == null) {
            throw new IllegalStateException("the options of this store have no pending strings");
        }
        return pending;
    }

    /** Returns the folder that all streams share. */
    public StreamFolder streams() {
        return streams.open().folder();
    }

    /**
     * Reads a string into a buffer; returns its length, or {@link #ABSENT}.
     *
     * @throws WrongTypeException if the key holds something else
     */
    public int read(Bytes key, ValueBuffer into) {
        while (true) {
            int length = strings.get(key, into.segment(), 0);
            if (length <= into.array().length) {
                into.setLength(Math.max(length, 0));
                if (length < 0) {
                    requireNoStream(key);
                    noteMissing(key);
                }
                return length; // -1 is ABSENT
            }
            into.reserve(length);
        }
    }

    /** Reads a string as {@link #read} does. This does not count as a use of it. */
    public int look(Bytes key, ValueBuffer into) {
        boolean used = memory.takeUse(key);
        int length = read(key, into);
        if (!used) {
            memory.takeUse(key);
        }
        return length;
    }

    /** Returns the length of a string, or {@link #ABSENT}. */
    public int length(Bytes key) {
        int[] length = {ABSENT};
        if (!strings.read(key, (segment, offset, bytes) -> length[0] = bytes)) {
            requireNoStream(key);
            noteMissing(key);
        }
        return length[0];
    }

    private void requireNoStream(Bytes key) {
        if (isStream(key)) {
            throw new WrongTypeException();
        }
    }

    /** Puts a string that does not expire, whatever the key held. */
    public void put(Bytes key, Bytes value) {
        boolean tellsNew = isNewAndHeard(key);
        set(key, value, ENDLESS);
        if (tellsNew) {
            tell(key, KeyEvent.NEW);
        }
    }

    private boolean isNewAndHeard(Bytes key) {
        return listener.hears(KeyEvent.NEW) && !exists(key);
    }

    private void tellNew(Bytes key) {
        if (listener.hears(KeyEvent.NEW)) {
            tell(key, KeyEvent.NEW);
        }
    }

    private boolean removeStream(Bytes key) {
        StreamNames names = streams.ifOpen();
        return names != null && names.remove(key);
    }

    /**
     * Removes the stream that a string has replaced. The string is durable first: after a loss of power, the removal must not
     * be all that is left of the change.
     */
    private void supersedeStream(Bytes key) {
        StreamNames names = streams.ifOpen();
        if (names != null && kept != null) { // its journal brings the string again
            names.supersede(key, true, () -> {});
        } else if (names != null) {
            names.supersede(key, false, syncStrings);
        }
    }

    /**
     * Removes the string of a key that has a stream now. After a loss of power, the string counts before the stream. So the
     * stream is durable before the string is removed, and the removal before the stream loses its old name.
     */
    private void removeString(Bytes key, Runnable syncStream) {
        if (kept == null && isString(key)) { // the journal of a kept store brings all of it again
            syncStream.run();
            strings.delete(key);
            strings.sync();
        } else {
            strings.delete(key);
        }
    }

    /**
     * Makes a key durable that was moved here from another store, which is about to remove it. After a loss of power, the
     * removal must not be all that is left of the move.
     */
    public void syncMoved(Bytes key) {
        if (kept == null && isString(key)) {
            strings.sync();
        } else if (kept == null) {
            streams.open().syncStream(key);
        }
    }

    /**
     * Puts a string that expires at a time in milliseconds since 1970, or never for {@link #ENDLESS}. If the time has passed,
     * the key is removed.
     */
    public void put(Bytes key, Bytes value, long deadlineMillis) {
        if (deadlineMillis == ENDLESS) {
            put(key, value);
            return;
        }
        boolean tellsNew = isNewAndHeard(key);
        set(key, value, deadlineMillis);
        if (tellsNew) {
            tell(key, KeyEvent.NEW);
        }
    }

    /** Puts a string as {@link #put(Bytes, Bytes, long)} does, but reports the key as new: its old value counts as removed. */
    public void putAnew(Bytes key, Bytes value, long deadlineMillis) {
        set(key, value, deadlineMillis);
        tellNew(key);
    }

    private void set(Bytes key, Bytes value, long deadlineMillis) {
        if (deadlineMillis == ENDLESS) {
            if (pending == null || !pending.put(key, value, Optional.empty())) {
                strings.set(key, value);
            }
            supersedeStream(key);
        } else if (deadlineMillis <= nowMillis()) { // also one that is too long ago for the map
            remove(key);
        } else {
            Instant deadline = Instant.ofEpochMilli(deadlineMillis);
            if (pending == null || !pending.put(key, value, Optional.of(deadline))) {
                strings.set(key, value, deadline);
            }
            supersedeStream(key);
        }
    }

    /**
     * Returns when a key expires, in milliseconds since 1970; {@link #ENDLESS} if it does not, {@link #NO_KEY} if it is
     * missing.
     */
    public long deadline(Bytes key) {
        while (true) {
            long version = strings.version(key); // a string may come between two lookups, with a lifetime
            Optional<Instant> expiry = strings.expiry(key);
            if (expiry.isPresent()) {
                return expiry.get().toEpochMilli();
            }
            if (strings.version(key) == version) {
                return version >= 0 ? ENDLESS : streamDeadline(key);
            }
        }
    }

    private long streamDeadline(Bytes key) {
        StreamNames names = streams.ifOpen();
        return names == null ? NO_KEY : names.deadline(key);
    }

    /** Returns a number that differs, but for chance, once the key holds another value or expires at another time. */
    public long state(Bytes key, ValueBuffer buffer) {
        if (isStream(key)) {
            return streamState(key);
        }
        if (read(key, buffer) == ABSENT) {
            return 0;
        }
        long state = FACTOR + buffer.length();
        for (int i = 0; i < buffer.length(); i++) {
            state = (state ^ buffer.array()[i]) * FACTOR;
        }
        return (state ^ deadline(key)) * FACTOR;
    }

    /**
     * Returns a number that differs once any process has changed the key. For a string it is the place in the map, so it also
     * differs after the same string was put again or was moved. If the store is kept, it is the {@link #state}, which is equal
     * on all mirrors.
     */
    public long watchedState(Bytes key, ValueBuffer buffer) {
        if (kept != null || isStream(key)) {
            return state(key, buffer);
        }
        return strings.version(key);
    }

    /**
     * Uses only values that are equal in all stores that had the same changes. The end grows with each entry, and until then
     * each removal of entries lowers the length. Groups do not count, as in Redis.
     */
    private long streamState(Bytes key) {
        StreamNames names = streams.ifOpen();
        try (@Nullable Stream stream = stream(key)) {
            if (stream == null || names == null) {
                return 0;
            }
            long state = (FACTOR + names.turnOfName(key)) * FACTOR;
            state = ((state ^ stream.end()) * FACTOR ^ stream.length()) * FACTOR;
            return (state ^ deadline(key)) * FACTOR;
        }
    }

    /** Sets when a key expires, or {@link #ENDLESS}. Uses the buffer meanwhile. */
    public boolean setDeadline(Bytes key, long deadlineMillis, ValueBuffer buffer) {
        StreamNames names = streams.ifOpen();
        if (names != null && !strings.containsKey(key)) {
            return names.setDeadline(key, deadlineMillis);
        }
        if (read(key, buffer) == ABSENT) {
            return false;
        }
        put(key, buffer.bytes(), deadlineMillis);
        return true;
    }

    /** Copies a string and its expiry to a key of this store or another. The source key must exist. */
    public void copy(Bytes from, Store target, Bytes to, ValueBuffer buffer) {
        long deadline = deadline(from);
        if (read(from, buffer) != ABSENT) {
            target.putAnew(to, buffer.bytes(), Math.max(ENDLESS, deadline));
        }
    }

    /** Moves a key's value and expiry to another key, whose value it replaces. The source key must exist. */
    public void rename(Bytes from, Bytes to, ValueBuffer buffer) {
        StreamNames names = streams.ifOpen();
        if (names != null && !strings.containsKey(from)) {
            names.rename(from, to, kept != null, () -> removeString(to, names::syncNames));
            tellNew(to);
        } else {
            copy(from, this, to, buffer);
            strings.delete(from);
        }
    }

    /** Removes a key, whatever it holds; returns whether it existed. */
    public boolean remove(Bytes key) {
        boolean wasStream = removeStream(key); // first: it would count again without the string
        boolean removed = strings.delete(key) || wasStream;
        if (!removed) {
            noteMissing(key);
        }
        return removed;
    }

    /** Passes on, once, the recorded keys that were requested, were missing, and may still count. */
    public void drainMissed(Consumer<? super Bytes> handler) {
        missed.drain(handler);
    }

    /**
     * Removes a key that has expired, and reports it. Returns false if it has not expired, or if another thread was faster.
     * Does not wait.
     *
     * @throws dev.larder.map.NoRoomYetException if it would have to wait
     */
    public boolean removeExpired(Bytes key) {
        StreamNames names = streams.ifOpen();
        return strings.withoutWaiting(() -> strings.removeExpired(key)) || (names != null && names.removeExpired(key));
    }

    /** Returns how many keys were reported as expired since the store was opened. */
    public long expired() {
        return expired.sum();
    }

    /** Returns whether a key with a lifetime has been put or met since the store was opened. */
    public boolean hasMetExpiry() {
        StreamNames names = streams.ifOpen();
        return strings.hasMetExpiry() || (names != null && names.hasMetExpiry());
    }

    /** Returns the number of keys. A key that has expired may still count. */
    public long size() {
        StreamNames names = streams.ifOpen();
        return strings.longSize() + (names == null ? 0 : names.size());
    }

    /** Removes all keys. Listeners hear of it also if an error ends it halfway, as on a full disk. */
    public void clear() {
        try {
            strings.clear();
            StreamNames names = streams.ifOpen();
            if (names != null) {
                names.clear();
            }
        } finally {
            listener.onClear(this);
            waiters.onClear(this);
        }
    }

    /** Returns whether the operator has limited the size of the files. */
    public boolean isBounded() {
        return bounded;
    }

    /** Returns figures of the map of strings. */
    public MapInfo info() {
        return strings.info();
    }

    /** Makes every change before the call durable. */
    public void sync() {
        StreamNames names = streams.ifOpen();
        if (names == null) {
            strings.sync();
        } else {
            names.removeSuperseded(strings::sync);
            names.sync();
        }
    }

    /** Writes a checkpoint, so that the next opening is quick. */
    public void checkpoint() {
        strings.checkpoint();
        StreamNames names = streams.ifOpen();
        if (names != null) {
            names.checkpoint();
        }
    }

    /** Lets the closing write no checkpoint, so that it ends sooner. */
    public void leaveOutLastCheckpoint() {
        strings.leaveOutLastCheckpoint();
        StreamNames names = streams.ifOpen();
        if (names != null) {
            names.leaveOutLastCheckpoint();
        }
    }

    @Override
    public void close() {
        StreamNames names = streams.ifOpen();
        try (strings) {
            if (names != null) {
                names.close();
            }
        }
    }
}
