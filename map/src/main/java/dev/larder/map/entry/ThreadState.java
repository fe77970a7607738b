package dev.larder.map.entry;

import dev.larder.codec.CodecFolder;
import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.index.ExpectedLength;
import dev.larder.map.index.Lookup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The desk of a thread, at which it makes a call: the lookup under way, and its own codecs, which may keep something between
 * two calls.
 */
public final class ThreadState<K, V> implements EntryStore.Filler {

    private static final int FIRST_BYTES = 64;

    public static final int NO_LINE = -1;
    static final long NO_RECORD = -1;

    public final Lookup probe = new Lookup(EntryStore.class);

    private final ExpectedLength lengths = new ExpectedLength();

    /** The line at which the thread is pinned while it changes an entry; not set if an outer change has pinned the thread. */
    int line = NO_LINE;

    /** In a thread's own desk: the line at which the thread is pinned while it reads records in place. */
    int readLine = NO_LINE;

    /** Whether the thread changes an entry at this desk. */
    boolean changes;

    /** The thread's own desk: this one, unless that was in use when a codec or a function of the user called the map. */
    final ThreadState<K, V> own;

    /** The desk at which this thread was pinned before this one, while it is pinned there. */
    @Nullable
    ThreadState<K, V> outer;

    /** In a thread's own desk: the one at which it was pinned last. */
    @Nullable
    ThreadState<K, V> innermost;

    /** The key of the change under way, until the thread leaves. */
    @Nullable
    Lookup changing;

    /** In a thread's own desk: whether the changes of the thread may not wait. */
    boolean impatient;

    /** In a thread's own desk: the desk that notes the key of a user's function that runs again, made when needed. */
    @Nullable
    ThreadState<K, V> computing;

    /** Whether this desk only notes the key of such a function; no thread is pinned by it. */
    final boolean notes;

    /** In a thread's own desk: at how many desks the thread is pinned. */
    int pinned;

    /** In a thread's own desk: the position of the last record that the thread has linked and that is not yet acknowledged. */
    long unacknowledged = NO_RECORD;

    private final Path directory;
    private final ValueCodec<K> keyWriter;
    private final ValueCodec<K> keyReader;
    private final ValueCodec<V> valueWriter;
    private final ValueCodec<V> valueReader;

    /** The value that was there before a change, and that the change returns. */
    @Nullable
    V former;

    private MemorySegment wanted = Arena.ofAuto().allocate(FIRST_BYTES, 8);
    private int wantedLength;
    private @Nullable V value;
    private int valueLength;

    /** Whether the value was written since its codec was asked for its length. */
    private boolean written;

    public ThreadState(
            Path directory,
            LogOptions options,
            ValueCodec<K> keys,
            ValueCodec<V> values,
            @Nullable ThreadState<K, V> own) {
        this.notes = false;
        this.directory = directory;
        this.own = own == null ? this : own;
        CodecFolder folder = new CodecFolder(
                directory,
                HookedOptions.of(options).storage(),
                options.access().files(),
                !options.access().readOnly());
        this.keyWriter = keys.in(folder, true);
        this.keyReader = keys.in(folder, false);
        this.valueWriter = values.in(folder, true);
        this.valueReader = values.in(folder, false);
    }

    /** Creates a desk beside a thread's own one, with the same codecs; it only notes a key. */
    ThreadState(ThreadState<K, V> own) {
        this.notes = true;
        this.directory = own.directory;
        this.own = own;
        this.keyWriter = own.keyWriter;
        this.keyReader = own.keyReader;
        this.valueWriter = own.valueWriter;
        this.valueReader = own.valueReader;
    }

    /** Returns the line at which the thread is pinned as a reader, or {@link #NO_LINE}. For a thread's own desk. */
    public int readLine() {
        return readLine;
    }

    /** Returns whether the thread's changes may not wait. For a thread's own desk. */
    public boolean isImpatient() {
        return impatient;
    }

    /** Lays a key out for the desk's own lookup. */
    public void key(K key, long seed) {
        key(key, probe, seed);
    }

    /** Lays a key out for a lookup. */
    public void key(K key, Lookup into, long seed) {
        int length = lengthBytes(keyWriter, key);
        if (length > EntryLayout.KEY_MAX_BYTES) {
            throw new IllegalArgumentException(
                    directory + ": key of " + length + " bytes; the largest is " + EntryLayout.KEY_MAX_BYTES);
        }
        keyWriter.write(key, into.keyOf(length), 0, length);
        into.hash(seed);
    }

    /** Checks the length that a codec of the user returns: a negative one would reach into other records. */
    private <T> int lengthBytes(ValueCodec<T> writer, T given) {
        int length = writer.lengthBytes(given);
        if (length < 0) {
            throw new IllegalArgumentException(
                    directory + ": the codec \"" + writer.name() + "\" gives a length of " + length + " bytes");
        }
        return length;
    }

    /** Announces that the record that the lookup finds will be read in full. */
    void expectToRead() {
        probe.expectedLength = lengths.bytes();
    }

    /** Records the length of the record that was read. */
    void hasRead() {
        if (probe.isPresent()) {
            lengths.met(probe.length);
        }
    }

    /** Keeps a value to be written; returns its length in bytes. */
    public int value(V given) {
        value = given;
        valueLength = lengthBytes(valueWriter, given);
        written = false;
        return valueLength;
    }

    /** Writes the value into the claimed record; once more, into another record, if another change was faster. */
    @Override
    public void fill(MemorySegment record, long at) {
        if (written) {
            requireSameLength(Objects.requireNonNull(value));
        }
        written = true;
        valueWriter.write(Objects.requireNonNull(value), record, at, valueLength);
    }

    /** Requires the same length before a further write; the codec is always asked first, as it may keep something of it. */
    private void requireSameLength(V given) {
        int length = lengthBytes(valueWriter, given);
        if (length != valueLength) {
            throw new IllegalArgumentException(
                    directory + ": the codec \"" + valueWriter.name() + "\" gives a value a length of " + length
                            + " bytes, and gave the same value " + valueLength + " before");
        }
    }

    /** Frees the desk for the thread's next call. */
    public void leave() {
        value = null;
        former = null;
        probe.busy = false;
    }

    /** Lays a value out for comparison. */
    void wanted(V value) {
        wantedLength = lengthBytes(valueWriter, value);
        if (wantedLength > wanted.byteSize()) {
            wanted = Arena.ofAuto().allocate(Math.max(wantedLength, 2 * wanted.byteSize()), 8);
        }
        valueWriter.write(value, wanted, 0, wantedLength);
    }

    /** Returns a copy of the bytes of the value that is {@link #wanted}. */
    ByteBuffer wantedBytes() {
        return ByteBuffer.wrap(wanted.asSlice(0, wantedLength).toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns whether a record has the value that is {@link #wanted}, or refers to it. */
    boolean isWanted(LogRecords records, MemorySegment record, long at, int length) {
        if (EntryLayout.isApart(EntryLayout.kind(record, at))) {
            ApartValue apart = ApartValue.of(records, record, at, length);
            return EntryLayout.isValue(apart.bytes(), apart.from(), apart.length(), wanted, wantedLength);
        }
        return EntryLayout.hasValue(record, at, length, wanted, wantedLength);
    }

    K readKey(MemorySegment record, long at) {
        return keyReader.read(record, EntryLayout.keyAt(record, at), EntryLayout.keyLength(record, at));
    }

    /** Returns the key that was laid out for a lookup. */
    K readKey(Lookup from) {
        return keyReader.read(from.key, 0, from.keyLength);
    }

    /** Returns the value of a record, or the value to which it refers. */
    V readValue(LogRecords records, MemorySegment record, long at, int length) {
        if (EntryLayout.isApart(EntryLayout.kind(record, at))) {
            ApartValue apart = ApartValue.of(records, record, at, length);
            return valueReader.read(apart.bytes(), apart.from(), apart.length());
        }
        long from = EntryLayout.valueAt(record, at);
        return valueReader.read(record, from, (int) (at + length - from));
    }
}
