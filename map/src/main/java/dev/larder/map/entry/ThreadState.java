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
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one thread works with: the look-up under way, and its own codecs, which may keep something between two calls. */
public final class ThreadState<K, V> implements EntryStore.Filler {

    private static final int FIRST_BYTES = 64;

    public static final int NO_LINE = -1;
    static final long NO_RECORD = -1;

    public final Lookup probe = new Lookup(EntryStore.class);

    private final ExpectedLength lengths = new ExpectedLength();

    /** Where the thread is pinned, while it changes an entry; one that changes another from inside is pinned already. */
    int line = NO_LINE;

    /** Where the thread is pinned that this desk is the own of, while it looks at records where they lie. */
    int readLine = NO_LINE;

    /** Whether the thread changes an entry by this desk. */
    boolean changes;

    /** The thread's own desk: this one, unless that was in use when a codec or a function of the user's came back here. */
    final ThreadState<K, V> own;

    /** The desk at which this thread was pinned before it was at this one, while it is pinned there. */
    @Nullable
    ThreadState<K, V> outer;

    /** Of a thread's own desk: the one at which it was pinned last. */
    @Nullable
    ThreadState<K, V> innermost;

    /** The key that is changed, from there on until the thread leaves. */
    @Nullable
    Lookup changing;

    /** Whether the changes of the thread that this desk is the own of may not wait. */
    boolean impatient;

    /** Of a thread's own desk: one that notes the key of a function of the user's which runs again; made when needed. */
    @Nullable
    ThreadState<K, V> computing;

    /** Whether this is only a note of the key of such a function: nobody is pinned by it. */
    final boolean notes;

    /** At how many desks the thread that this one is the own of is pinned. */
    int pinned;

    /** Where the last record stands that the thread has linked, and nobody has acknowledged; of its own desk. */
    long unacknowledged = NO_RECORD;

    private final Path directory;
    private final ValueCodec<K> keyWriter;
    private final ValueCodec<K> keyReader;
    private final ValueCodec<V> valueWriter;
    private final ValueCodec<V> valueReader;

    /** The value that a change is to return, which was there before it. */
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

    /** A desk beside a thread's own one, with the same codecs: for a key alone, of which note is taken. */
    ThreadState(ThreadState<K, V> own) {
        this.notes = true;
        this.directory = own.directory;
        this.own = own;
        this.keyWriter = own.keyWriter;
        this.keyReader = own.keyReader;
        this.valueWriter = own.valueWriter;
        this.valueReader = own.valueReader;
    }

    /** Returns where the thread is pinned as a reader; {@link #NO_LINE} where it is not. Of its own desk. */
    public int readLine() {
        return readLine;
    }

    /** Returns whether the thread's changes may not wait. Of its own desk. */
    public boolean isImpatient() {
        return impatient;
    }

    /** Lays a key out for the desk's own look-up. */
    public void key(K key, long seed) {
        key(key, probe, seed);
    }

    /** Lays a key out for a look-up. */
    public void key(K key, Lookup into, long seed) {
        int length = lengthBytes(keyWriter, key);
        if (length > EntryLayout.KEY_MAX_BYTES) {
            throw new IllegalArgumentException(
                    directory + ": key of " + length + " bytes; the largest is " + EntryLayout.KEY_MAX_BYTES);
        }
        keyWriter.write(key, into.keyOf(length), 0, length);
        into.hash(seed);
    }

    /** A codec of the user's may say anything, and a negative length would reach into the records of others. */
    private <T> int lengthBytes(ValueCodec<T> writer, T given) {
        int length = writer.lengthBytes(given);
        if (length < 0) {
            throw new IllegalArgumentException(
                    directory + ": the codec \"" + writer.name() + "\" gives a length of " + length + " bytes");
        }
        return length;
    }

    /** Says that what the look-up finds will be read, all of it. */
    void expectToRead() {
        probe.expectedLength = lengths.bytes();
    }

    /** Takes note of how long it was. */
    void hasRead() {
        if (probe.isPresent()) {
            lengths.met(probe.length);
        }
    }

    /** Keeps a value to be written; returns how many bytes it takes. */
    public int value(V given) {
        value = given;
        valueLength = lengthBytes(valueWriter, given);
        written = false;
        return valueLength;
    }

    /** Writes the value where it was claimed; once more, elsewhere, where another change was faster. */
    @Override
    public void fill(MemorySegment record, long at) {
        if (written) {
            requireSameLength(Objects.requireNonNull(value));
        }
        written = true;
        valueWriter.write(Objects.requireNonNull(value), record, at, valueLength);
    }

    /** A codec is asked for the length before each writing, of which it may keep something. */
    private void requireSameLength(V given) {
        int length = lengthBytes(valueWriter, given);
        if (length != valueLength) {
            throw new IllegalArgumentException(directory + ": the codec \"" + valueWriter.name()
                    + "\" gives a value a length of " + length + " bytes, and gave it " + valueLength + " before");
        }
    }

    /** Is left by the thread, for its next call. */
    public void leave() {
        value = null;
        former = null;
        probe.busy = false;
    }

    /** Lays a value out to be compared with. */
    void wanted(V value) {
        wantedLength = lengthBytes(valueWriter, value);
        if (wantedLength > wanted.byteSize()) {
            wanted = Arena.ofAuto().allocate(Math.max(wantedLength, 2 * wanted.byteSize()), 8);
        }
        valueWriter.write(value, wanted, 0, wantedLength);
    }

    /** Returns whether a record has the value that is {@link #wanted}, or leads to it. */
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

    /** Returns the key that was laid out for a look-up. */
    K readKey(Lookup from) {
        return keyReader.read(from.key, 0, from.keyLength);
    }

    /** Returns the value of a record, or that to which it leads. */
    V readValue(LogRecords records, MemorySegment record, long at, int length) {
        if (EntryLayout.isApart(EntryLayout.kind(record, at))) {
            ApartValue apart = ApartValue.of(records, record, at, length);
            return valueReader.read(apart.bytes(), apart.from(), apart.length());
        }
        long from = EntryLayout.valueAt(record, at);
        return valueReader.read(record, from, (int) (at + length - from));
    }
}
