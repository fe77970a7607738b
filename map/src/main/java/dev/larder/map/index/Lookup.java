package dev.larder.map.index;

import dev.larder.log.layer.OpenClaim;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.KeyHash;
import dev.larder.map.format.Placement;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A lookup in progress: its key, and what was found. It belongs to one thread, which uses it again and again. */
public final class Lookup {

    public static final int AS_BEFORE = -1;

    /** Marks the put of a value, and not of a reference. */
    public static final int NOT_APART = -1;

    /** Marks a call whose time was not read yet. */
    public static final long UNASKED = Long.MIN_VALUE;

    /** The position of no record. */
    public static final long NO_RECORD = -1;

    private static final int FIRST_BYTES = 64;

    /** The content of the slot that was found. */
    public enum Found {
        /** The word of the key, of an entry or of a removal. */
        KEY,
        /** EMPTY, where the key's word will stand. */
        EMPTY,
        /** No slot is left; this is the link that the next overflow line would hang on. */
        FULL
    }

    public MemorySegment key = Arena.ofAuto().allocate(FIRST_BYTES, 8);
    public int keyLength;

    /** The address of the key, for loads by address; the key stays there as long as this is in use. */
    private long keyAddress = key.address();

    /** The key itself if it has 8 bytes, as most do, so that it is not loaded again for each record. */
    long keyWord;

    public long hash;
    public boolean busy;

    /** The expected length of the record if all of it will be read; 0 if it is read for its key alone. */
    public int expectedLength;

    /** Whether only the part of the record before its value is needed; then the record need not be in memory. */
    public boolean forHeadAlone;

    /** The one record of its key whose word is looked for; -1 if the newest is looked for. */
    long ownPosition = NO_RECORD;

    int ownLength;

    /** The time of the call, by which entries have expired; {@link #UNASKED} until it is needed. */
    public long nowMillis = UNASKED;

    /** When the entry that is put expires. */
    public long deadline = Deadline.NONE;

    /** The uses of the entry that is put; {@link #AS_BEFORE} for the uses of the entry that it replaces. */
    public int uses = AS_BEFORE;

    /** The length of the value that the put reference leads to; {@link #NOT_APART} if a value is put. */
    public int putApart = NOT_APART;

    /** The record that a change under way has claimed. */
    public final OpenClaim claim;

    /** The position of the record that the last change of this key has linked. */
    public long made = NO_RECORD;

    public int partition;

    /** The log's first segment when the page was located, by which the places of its words are completed. */
    public int first;

    long entryWord;
    public long base;
    public Found found = Found.EMPTY;
    public long slot;
    public long word;

    /** The record that was found; {@link #NO_RECORD} if none was, also while the lookup is under way. */
    public long position = NO_RECORD;

    public int length;
    long foundDeadline;

    /** The record that holds the found value: the record that was found, or the pending record that it leads to. */
    public long valuePosition;

    /** The offset in the payload, and the length, of a value in a pending record; else 0. */
    public int apartOffset;

    public int apartLength;

    /** The address of the found value, and its length, if {@link FlatLookup} is to copy it; else 0. */
    public long valueAddress;

    public int valueLength;
    public int foundUses;
    public boolean expired;

    /** Creates a lookup that only reads, and claims nothing. */
    public Lookup() {
        this(Lookup.class);
    }

    /**
     * Creates a lookup by which records are claimed.
     *
     * @param claimer the class whose methods claim a record, and settle the claim before they return
     */
    public Lookup(Class<?> claimer) {
        this.claim = new OpenClaim(claimer);
    }

    /** Returns the memory of a key of {@code bytes} bytes. */
    public MemorySegment keyOf(int bytes) {
        if (bytes > key.byteSize()) {
            key = Arena.ofAuto().allocate(Math.max(bytes, 2 * key.byteSize()), 8);
            keyAddress = key.address();
        }
        keyLength = bytes;
        return key;
    }

    /** Takes the key of a record of a map whose hashes have this seed. */
    public void take(MemorySegment record, long at, long seed) {
        int bytes = EntryLayout.keyLength(record, at);
        MemorySegment.copy(record, EntryLayout.keyAt(record, at), keyOf(bytes), 0, bytes);
        hash(seed);
    }

    /**
     * Makes this a lookup of one record of its key, which is in memory: whether the key's word still names that record. Other
     * records of the key are found only as long as they are not durable, so that none is waited for.
     */
    public void ofRecord(long recordPosition, int recordLength) {
        forHeadAlone = true;
        ownPosition = recordPosition;
        ownLength = recordLength;
    }

    /** Returns whether the word of one record is looked for. */
    public boolean hasRecord() {
        return ownPosition != NO_RECORD;
    }

    /** Makes this a lookup of the key that was laid out. */
    public void hash(long seed) {
        expectedLength = 0;
        forHeadAlone = false;
        ownPosition = NO_RECORD;
        putApart = NOT_APART;
        nowMillis = UNASKED;
        boolean isWord = keyLength == Long.BYTES;
        keyWord = isWord ? EntryLayout.word(key, 0) : 0;
        hash = isWord ? KeyHash.ofWord(keyWord, seed) : hashOfBytes(seed);
        partition = Placement.partition(hash);
    }

    /** Returns the key if it has 8 bytes; else 0. */
    public long keyWord() {
        return keyWord;
    }

    /** Returns the address of the key's bytes, for loads by address. */
    public long keyAddress() {
        return keyAddress;
    }

    private long hashOfBytes(long seed) {
        return RawMemory.IS_OPEN
                ? KeyHash.of(RawMemory.ALL, RawMemory.word(keyAddress), keyLength, seed)
                : KeyHash.of(key, 0, keyLength, seed);
    }

    /** Returns whether another lookup has the same key. */
    public boolean hasKeyOf(Lookup other) {
        return hash == other.hash
                && keyLength == other.keyLength
                && MemorySegment.mismatch(key, 0, keyLength, other.key, 0, keyLength) < 0;
    }

    /** Returns whether a record, with its header, has this key. */
    boolean isKeyOf(MemorySegment record, long at, int length, int header) {
        return keyLength == Long.BYTES
                ? EntryLayout.hasKey(record, at, length, header, keyWord)
                : EntryLayout.hasKey(record, at, length, header, key, 0, keyLength);
    }

    /** Returns the entry of the page in the partition's directory. */
    int entry() {
        return Placement.entry(hash, Directory.depth(entryWord));
    }

    /** Returns whether the map holds an entry of the key: its record is at {@link #position}, {@link #length} bytes long. */
    public boolean isPresent() {
        return holdsValue() && !expired;
    }

    /** Returns whether the slot names a record with a value, which may have expired. */
    public boolean holdsValue() {
        return found == Found.KEY && !IndexWord.isRemoval(word);
    }

    /** Returns whether the value that was found lies in a pending record. */
    public boolean isApart() {
        return found == Found.KEY && valuePosition != position;
    }

    /** Returns how many payload bytes the found entry keeps alive. */
    long liveLength() {
        return (long) length + apartLength;
    }

    /** Returns when the found entry expires; {@link Deadline#NONE} if it does not. */
    public long foundDeadline() {
        return foundDeadline;
    }

    /** Returns the state of the key: the position of its entry or removal, which never comes again, or -1 for neither. */
    public long state() {
        return found == Found.KEY ? position : -1;
    }

    public void foundKey(
            long at,
            long wordThere,
            long recordPosition,
            int recordLength,
            int recordUses,
            long recordDeadline,
            boolean hasExpired) {
        found = Found.KEY;
        slot = at;
        word = wordThere;
        position = recordPosition;
        valuePosition = recordPosition;
        length = recordLength;
        apartLength = 0;
        foundUses = recordUses;
        foundDeadline = recordDeadline;
        expired = hasExpired;
    }

    /** Records the fields of a reference that was found. */
    void foundReference(MemorySegment record, long at, int recordLength) {
        valuePosition = EntryLayout.referencePosition(record, at, recordLength);
        apartOffset = EntryLayout.referenceOffset(record, at, recordLength);
        apartLength = EntryLayout.referenceLength(record, at, recordLength);
    }

    public void foundNone(Found what, long at, long wordThere) {
        found = what;
        slot = at;
        word = wordThere;
        position = NO_RECORD;
    }
}
