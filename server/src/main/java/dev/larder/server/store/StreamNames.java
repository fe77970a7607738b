package dev.larder.server.store;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSnapshot;
import dev.larder.map.RemovalCause;
import dev.larder.memory.DiskFullException;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.StreamFolder;
import dev.larder.server.stream.UnnamedStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The names of the streams of a store. A name maps a key to the number of a folder, and may expire.
 *
 * <pre>
 * DIRECTORY/names           a map: key to number and turn
 * DIRECTORY/records         a map: what belongs to the streams
 * DIRECTORY/journal         what was added to them last
 * DIRECTORY/17/...          a stream
 * </pre>
 *
 * <p>A change of names and folders writes the name first; a new stream is filled before that. Each name has a turn, and turns
 * grow. If a crash leaves two names of one stream, the later name counts. A string counts before a stream of the same key.
 */
final class StreamNames implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    static final int SEGMENT_BYTES = 16 << 20;
    static final String NAMES = "names";
    static final String RECORDS = "records";

    private static final int PAGE = 1000;

    private final LarderMap<Bytes, Bytes> names;
    private final StreamFolder folder;
    private final AtomicLong turn = new AtomicLong();

    /** Streams to which a rename that failed has left two names, and these names. */
    private final Map<Long, List<Bytes>> shared = new ConcurrentHashMap<>();

    /**
     * Names that do not count and are not listed, since a string or another name has replaced them. The disk had no room to
     * remove them.
     */
    private final Map<Bytes, Bytes> superseded = new ConcurrentHashMap<>();

    private StreamNames(LarderMap<Bytes, Bytes> names, StreamFolder folder) {
        this.names = names;
        this.folder = folder;
    }

    /**
     * Opens the streams in a folder, and repairs what a crash has left.
     *
     * @param isString whether a key holds a string: then its stream was to be removed
     * @param expired called with each key whose name has expired
     */
    static StreamNames open(
            Path directory,
            StoreOptions options,
            @Nullable Keeper keeper,
            Predicate<Bytes> isString,
            Consumer<Bytes> expired) {
        MapOptions map = MapOptions.defaults()
                .withLog(options.log()
                        .withSync(options.sync())
                        .withLargestSegmentBytes(Math.min(SEGMENT_BYTES, options.segmentBytes())))
                .withTime(options.time())
                .withCounted(true);
        LarderMap<Bytes, Bytes> names = LarderMap.open(
                directory.resolve(NAMES),
                BytesCodec.INSTANCE,
                BytesCodec.INSTANCE,
                keeper == null ? map : keeper.options(map, keeper.point().names()));
        try {
            StreamNames opened = new StreamNames(names, openFolder(directory, options, keeper, map));
            opened.turn.set(
                    keeper == null ? names.restorePoint() : keeper.point().turn());
            opened.load(isString, expired);
            return opened;
        } catch (RuntimeException | Error e) {
            names.close();
            throw e;
        }
    }

    private static StreamFolder openFolder(
            Path directory, StoreOptions options, @Nullable Keeper keeper, MapOptions map) {
        LarderMap<byte[], byte[]> records = LarderMap.open(
                directory.resolve(RECORDS),
                ValueCodec.bytes(),
                ValueCodec.bytes(),
                keeper == null ? map : keeper.options(map, keeper.point().records()));
        return new StreamFolder(
                directory,
                records,
                options.log().withSync(options.sync()),
                options.segmentBytes(),
                keeper == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(keeper.point().number()));
    }

    private void load(Predicate<Bytes> isString, Consumer<Bytes> expired) {
        Map<Long, Bytes> keys = new HashMap<>();
        List<Bytes> leftOver = new ArrayList<>();
        scanAll(key -> {
            Bytes value = names.get(key);
            if (value == null) {
                return;
            }
            turn.accumulateAndGet(turn(value), Math::max);
            Bytes other = keys.get(number(value));
            if (isString.test(key)) {
                leftOver.add(key);
            } else if (other == null || turnOf(other) < turn(value)) {
                keys.put(number(value), key);
                if (other != null) {
                    leftOver.add(other);
                }
            } else {
                leftOver.add(key);
            }
        });
        removeLeftOver(leftOver);
        folder.load(Set.copyOf(keys.keySet()));
        keys.forEach((number, key) -> folder.named(number, turnOf(key)));
        names.listener((key, value, cause) -> {
            if (cause == RemovalCause.EXPIRED && !superseded.remove(key, value)) {
                if (!shared.containsKey(number(value))) { // else the next start removes it
                    folder.removeExpired(number(value), turn(value));
                }
                expired.accept(key);
            }
        });
    }

    /** Removes names that do not count. On a full disk they stay, and do not count either. */
    private void removeLeftOver(List<Bytes> keys) {
        for (Bytes key : keys) {
            Bytes value = names.get(key);
            if (value != null) { // else it has expired since
                superseded.put(key, value);
                removeName(key, value);
            }
        }
    }

    /** Tries to remove a name that does not count. */
    private void removeName(Bytes key, Bytes value) {
        try {
            names.remove(key, value);
            superseded.remove(key, value);
        } catch (DiskFullException e) { // a later sync or start tries again
            LOGGER.log(System.Logger.Level.WARNING, "the name of a replaced stream stays: " + e.getMessage());
        }
    }

    private long turnOf(Bytes key) {
        Bytes value = names.get(key);
        return value == null ? -1 : turn(value);
    }

    private static long number(Bytes value) {
        return ByteBuffer.wrap(value.array(), value.offset(), value.length()).getLong();
    }

    private static long turn(Bytes value) {
        return ByteBuffer.wrap(value.array(), value.offset(), value.length()).getLong(value.offset() + Long.BYTES);
    }

    private static Bytes value(long number, long turn) {
        ByteBuffer value = ByteBuffer.allocate(2 * Long.BYTES);
        return Bytes.of(value.putLong(number).putLong(turn).array());
    }

    private void scanAll(Consumer<Bytes> handler) {
        long cursor = 0;
        do {
            cursor = names.scanKeys(cursor, PAGE, handler);
        } while (cursor != 0);
    }

    void background(Executor files, Executor flushes) {
        folder.background(files, flushes);
    }

    StreamFolder folder() {
        return folder;
    }

    boolean contains(Bytes key) {
        return superseded.isEmpty() ? names.containsKey(key) : name(key) != null;
    }

    /** Returns the name of a key, if it counts. */
    private @Nullable Bytes name(Bytes key) {
        Bytes value = names.get(key);
        return value != null && value.equals(superseded.get(key)) ? null : value;
    }

    /**
     * Removes the stream of a key that a string has just replaced. The string counts: if the disk has no room to remove the
     * name, it does not count from now on. A kept store fails, since its mirrors must not differ.
     *
     * @param syncString makes the string durable, if there is a name to remove; even if it fails, the string counts
     */
    void supersede(Bytes key, boolean isKept, Runnable syncString) {
        if (names.containsKey(key)) {
            try {
                syncString.run();
            } finally {
                removeReplaced(key, isKept);
            }
        } else {
            ExpiredEntries.remove(names, key);
        }
    }

    private void removeReplaced(Bytes key, boolean isKept) {
        try {
            remove(key);
        } catch (DiskFullException e) {
            if (isKept) {
                throw e;
            }
            Bytes value = names.get(key);
            if (value != null) { // else it has expired
                removeUnlessShared(number(value));
                superseded.put(key.copy(), value);
            }
            LOGGER.log(System.Logger.Level.WARNING, "the name of a replaced stream stays: " + e.getMessage());
        }
    }

    /** Returns whether reading a name may have to wait for the disk, as far as is known. */
    boolean arePagesMissing() {
        return names.arePagesMissing();
    }

    /** Loads the name of a key into memory. */
    void bringIn(Bytes key) {
        names.read(key, (segment, offset, length) -> {});
    }

    /** Returns the stream of a key, locked; null if there is none. */
    @Nullable
    Stream find(Bytes key) {
        while (true) {
            Bytes value = name(key);
            if (value == null) {
                return null;
            }
            Stream stream = folder.use(number(value));
            if (stream != null) {
                return stream;
            }
            if (!folder.contains(number(value)) && value.equals(name(key))) {
                return null; // a rename that failed left it two names, and it was removed by the other one
            }
        }
    }

    /**
     * Creates a stream for a missing key and returns it locked. The stream gets its name once it is filled, so an error or a
     * crash leaves nothing under that name.
     */
    Stream create(Bytes key, Consumer<? super Stream> filling) {
        long number = folder.create();
        try {
            Stream stream = folder.use(number);
            if (stream == null) {
                throw new IllegalStateException("stream " + number + " is new and removed");
            }
            fill(key, stream, filling);
            return stream;
        } catch (RuntimeException | Error e) {
            removeUnlessNamed(key, number, e);
            throw e;
        }
    }

    private void fill(Bytes key, Stream stream, Consumer<? super Stream> filling) {
        try {
            filling.accept(stream);
            put(key, stream.number(), Store.ENDLESS);
        } catch (RuntimeException | Error e) {
            stream.close();
            throw e;
        }
    }

    /**
     * Removes a stream that could not get its name. Otherwise each attempt on a full disk would leave a folder until the next
     * start.
     */
    private void removeUnlessNamed(Bytes key, long number, Throwable met) {
        try {
            if (!isNumber(names.get(key), number)) {
                folder.remove(number);
            }
        } catch (RuntimeException | Error e) { // the next start removes it
            met.addSuppressed(e);
        }
    }

    boolean remove(Bytes key) {
        Bytes left = superseded.isEmpty() ? null : superseded.get(key); // mostly saves the key's hash
        if (left != null) { // it would count again once the string is gone
            names.remove(key, left);
            superseded.remove(key, left);
        }
        Bytes value = names.get(key);
        if (value == null) {
            ExpiredEntries.remove(names, key);
            return false;
        }
        if (!names.delete(key)) {
            return false;
        }
        removeUnlessShared(number(value));
        return true;
    }

    /**
     * Renames a stream, and replaces the value of the new name. An error leaves both keys as they were. If there is no room for
     * that, both keys hold the stream: the next start completes the rename. Once a string at the new name is removed, a lack of
     * room is no error: the old name does not count from now on. A kept store fails, since its mirrors must not differ.
     */
    void rename(Bytes from, Bytes to, boolean isKept, Runnable removeString) {
        Bytes moved = name(from);
        if (moved == null) {
            return;
        }
        Bytes replaced = name(to);
        long replacedDeadline = deadline(to);
        try {
            put(to, number(moved), deadline(from));
            removeString.run();
            removeRenamed(from, moved, isKept);
        } catch (RuntimeException | Error e) {
            takeBack(from, to, number(moved), replaced, replacedDeadline, e);
            throw e;
        }
        if (replaced != null && number(replaced) != number(moved)) { // else a rename had left it both names
            removeUnlessShared(number(replaced));
        }
    }

    private void removeRenamed(Bytes from, Bytes moved, boolean isKept) {
        try {
            names.delete(from);
        } catch (DiskFullException e) {
            if (isKept) {
                throw e;
            }
            superseded.put(from.copy(), moved);
            LOGGER.log(System.Logger.Level.WARNING, "the old name of a stream stays: " + e.getMessage());
        }
    }

    /** Gives a key the name back that it had before a stream was to replace it, if the stream still has its own. */
    private void takeBack(
            Bytes from, Bytes to, long moved, @Nullable Bytes replaced, long replacedDeadline, Throwable met) {
        try {
            if (!isNumber(names.get(from), moved) || !isNumber(names.get(to), moved)) {
                return;
            }
            if (replaced == null) {
                names.delete(to);
            } else {
                put(to, number(replaced), replacedDeadline);
            }
            folder.named(moved, turnOf(from));
        } catch (RuntimeException | Error e) { // both keys hold the stream, until one of them gets another value
            shared.put(moved, List.of(from.copy(), to.copy()));
            met.addSuppressed(e);
        }
    }

    /** Removes a stream that has lost a name, unless a rename that failed has left it another one. */
    private void removeUnlessShared(long number) {
        boolean isNamed =
                shared.getOrDefault(number, List.of()).stream().anyMatch(key -> isNumber(names.get(key), number));
        if (!isNamed) {
            shared.remove(number);
            superseded.forEach((key, value) -> { // else an old name would count after a start
                if (number(value) == number) {
                    removeName(key, value);
                }
            });
            folder.remove(number);
        }
    }

    private static boolean isNumber(@Nullable Bytes value, long number) {
        return value != null && number(value) == number;
    }

    /** Gives a filled new stream a name, and replaces the value of that key. An error leaves nothing of the stream. */
    void put(Bytes key, long deadlineMillis, UnnamedStream stream, Runnable removeString) {
        Bytes replaced = name(key);
        long number = stream.take();
        try {
            put(key, number, deadlineMillis);
            removeString.run();
        } catch (RuntimeException | Error e) {
            takeBack(key, number, replaced == null, e);
            throw e;
        }
        if (replaced != null) {
            removeUnlessShared(number(replaced));
        }
    }

    /**
     * Takes back a stream that could not replace its key's value. If that value was a string, the key would hold both until
     * the next start. The string counts, but commands on streams would find the stream.
     */
    private void takeBack(Bytes key, long number, boolean unnames, Throwable met) {
        try {
            if (unnames && isNumber(names.get(key), number)) {
                names.delete(key);
            }
        } catch (RuntimeException | Error e) { // the next start does so
            met.addSuppressed(e);
        }
        removeUnlessNamed(key, number, met);
    }

    private void put(Bytes key, long number, long deadlineMillis) {
        long next = turn.incrementAndGet();
        long before = folder.named(number, next); // first: the name may expire at once
        try {
            if (deadlineMillis < 0) {
                names.set(key, value(number, next));
            } else {
                names.set(key, value(number, next), Instant.ofEpochMilli(deadlineMillis));
            }
        } catch (RuntimeException | Error e) {
            folder.named(number, before);
            throw e;
        }
        superseded.remove(key);
    }

    /** Returns when a name expires; {@link Store#ENDLESS} if it does not, {@link Store#NO_KEY}. */
    long deadline(Bytes key) {
        Optional<Instant> expiry = superseded.containsKey(key) ? Optional.empty() : names.expiry(key);
        if (expiry.isPresent()) {
            return expiry.get().toEpochMilli();
        }
        return contains(key) ? Store.ENDLESS : Store.NO_KEY;
    }

    boolean setDeadline(Bytes key, long deadlineMillis) {
        Bytes value = name(key);
        if (value == null) {
            return false;
        }
        put(key, number(value), deadlineMillis);
        return true;
    }

    long scan(long cursor, int least, Consumer<? super Bytes> handler) {
        return names.scanKeys(
                cursor,
                least,
                superseded.isEmpty()
                        ? handler
                        : key -> {
                            if (contains(key)) {
                                handler.accept(key);
                            }
                        });
    }

    long scanExpired(long cursor, RandomGenerator random, BooleanSupplier goesOn, Consumer<? super Bytes> handler) {
        return names.scanExpired(cursor, random, goesOn, handler);
    }

    boolean removeExpired(Bytes key) {
        return names.removeExpired(key);
    }

    boolean hasMetExpiry() {
        return names.hasMetExpiry();
    }

    long size() {
        return Math.max(0, names.longSize() - superseded.size());
    }

    void clear() {
        scanAll(this::remove);
    }

    /**
     * Tries to remove the names that do not count.
     *
     * @param syncStrings makes the strings durable that have replaced some of them: after a loss of power, the removal must not
     *     be all that is left of that change
     */
    void removeSuperseded(Runnable syncStrings) {
        Map<Bytes, Bytes> left = superseded.isEmpty() ? Map.of() : Map.copyOf(superseded); // their strings were written
        syncStrings.run();
        left.forEach(this::removeName);
    }

    /** Makes every change of streams and their names before the call durable. */
    void sync() {
        folder.sync();
        syncNames();
    }

    /** Makes the stream of a key and its name durable. The caller may hold the lock of another stream. */
    void syncStream(Bytes key) {
        Bytes value = name(key);
        if (value != null) {
            folder.sync(number(value));
            syncNames();
        }
    }

    /** Makes every change of names before the call durable. */
    void syncNames() {
        names.sync();
    }

    /**
     * Makes everything durable, and returns the kept moment with the streams' part. No thread may change the streams
     * meanwhile.
     */
    KeptPoint keep(long clockMillis, long strings, byte[] note) {
        long records = folder.keep();
        return new KeptPoint(
                clockMillis, strings, names.restorePoint(), records, turn.get(), folder.lastNumber(), note);
    }

    /** Releases the space that only moments before the last one need. */
    void kept(KeptPoint point) {
        names.keepFrom(point.names());
        folder.kept(point.records());
    }

    /** Returns the turn of a key's name, which no other name has had; 0 if the key has no name. */
    long turnOfName(Bytes key) {
        Bytes value = names.get(key);
        return value == null ? 0 : turn(value);
    }

    /** Returns a snapshot of the names. */
    MapSnapshot<Bytes, Bytes> snapshot() {
        return names.snapshot();
    }

    /** Returns the number of the stream that a name stands for. */
    static long numberOf(Bytes value) {
        return number(value);
    }

    void checkpoint() {
        folder.checkpoint();
        names.checkpoint();
    }

    void leaveOutLastCheckpoint() {
        folder.leaveOutLastCheckpoint();
        names.leaveOutLastCheckpoint();
    }

    @Override
    public void close() {
        try (names) {
            folder.close();
        }
    }
}
