package dev.larder.server.stream;

import dev.larder.log.NotInMemoryException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageException;
import dev.larder.queue.MessageHandler;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of their ids, and groups that read them. One thread at a time uses a stream: it gets the stream locked,
 * and {@link #close} unlocks it.
 *
 * <pre>
 *   sequences   0 ... first ............... end
 *               trimmed | entries, some deleted | the next one
 * </pre>
 *
 * <p>The messages of the queue decide which entries were added. The head and the bits of deleted entries are records. Ids grow
 * with sequences, so a binary search finds an id.
 */
public final class Stream extends StreamUse {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** After how many trimmed entries the background looks for space to release. */
    private static final int RELEASED_ENTRIES = 256;

    private final DeletedEntries deleted;
    private final EntrySearch search;
    private final RepeatedMessages repeated;
    private final Groups groups;
    private final Producers producers;

    private static final long NOT_FOUND = -1;

    /** How many messages of the queue were counted. */
    private long end;

    /** The end of the queue once a start has counted all messages in it; before that, {@link #NOT_FOUND}. */
    private volatile long firstFound = NOT_FOUND;

    private long first;
    private StreamId last;
    private long added;
    private StreamId greatestDeleted;
    private long foreign;

    /** How many entries are deleted from the first entry on. */
    private long holes;

    /** The first entry at the last release of space. */
    private long releasedUpTo;

    /** Grows with each change except additions. */
    private long changes;

    /** Whether the queue turned out to be shorter than the head says. */
    private boolean lostEntries;

    /** Grows when an entry is deleted or the greatest id is set, since the start. */
    private long rewrites;

    Stream(StreamFolder folder, long number) {
        super(folder, number);
        this.deleted = new DeletedEntries(records(), number);
        this.groups = new Groups(records(), number);
        this.producers = new Producers(records(), number);
        this.repeated = new RepeatedMessages(number);
        this.last = StreamId.ZERO;
        this.greatestDeleted = StreamId.ZERO;
        this.search = new EntrySearch(this);
    }

    /** Loads the head from its record. */
    void load(StreamHead head) {
        end = head.checked();
        first = head.first();
        last = head.last();
        added = head.added();
        greatestDeleted = head.greatestDeleted();
        foreign = head.foreign();
        changes = head.changes();
    }

    DeletedEntries deleted() {
        return deleted;
    }

    /** Reconciles the records with the queue: after a loss of power the queue may be shorter. */
    @Override
    void begin(StreamQueue opened) {
        long there = opened.toEnd();
        long oldest = opened.firstSequence();
        search.forgetEnds(); // a loss of power may have taken them
        if (there > oldest) {
            mayNotBeInMemory();
        }
        if (isKept()) {
            repeated.requireKept(first, end, oldest, there);
            opened.toSequence(end);
            holes = deleted.count(first, end);
            return;
        }
        if (end > there) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "stream " + number() + ": the queue has lost messages from " + there + " up to " + end);
            end = there;
            lostEntries = true;
        }
        deleted.forgetFrom(there);
        end = Math.max(end, oldest);
        first = Math.min(Math.max(first, oldest), end);
        opened.toSequence(end);
        holes = deleted.count(first, there);
    }

    /** Counts new messages. In a kept store only this stream adds entries, and messages behind the last one will come again. */
    @Override
    void catchUp() {
        if (!isKept()) {
            long before = end;
            readOn();
            if (end > before) {
                markDirty(); // it may not be durable
            }
        }
        if (firstFound == NOT_FOUND) {
            firstFound = end; // before this server adds anything
        }
    }

    /** Counts and checks the messages that were added to the queue since. */
    private void readOn() {
        boolean strange = false;
        try {
            while (queue().next(this::count)) {
                strange |= deleted.isDeleted(end - 1);
            }
        } catch (NotInMemoryException e) {
            throw notInMemory(end, Long.MAX_VALUE, e);
        } finally {
            if (strange) {
                skipDeleted();
                saveHead();
            }
        }
    }

    private void count(MemorySegment segment, long offset, int length) {
        boolean known = deleted.isDeleted(end); // deleted before the head was written for the last time
        StreamId id = EntryFrame.isEntry(segment, offset, length) ? EntryFrame.id(segment, offset) : StreamId.ZERO;
        if (id.isAfter(last)) {
            last = id;
            search.added(id, end);
            added++;
        } else if (!known) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "stream " + number() + ": message " + end + " is not an entry: another program appended it");
            deleted.delete(end);
            holes++;
            foreign++;
        }
        end++;
    }

    @Override
    void opened() {
        catchUp();
        skipDeleted();
        if (!isKept()) { // there the records are of the same moment as the entries
            producers.forgetBehind(lostEntries ? lastId() : last);
            lostEntries = false;
        }
    }

    private void skipDeleted() {
        long live = Math.min(deleted.nextLive(first), end);
        holes -= deleted.count(first, live);
        first = live;
    }

    @Override
    void saveHead() {
        save(head());
    }

    private void save(StreamHead head) {
        records().put(StreamRecords.key(number(), StreamRecords.HEAD), head.encode());
    }

    private StreamHead head() {
        return new StreamHead(end, first, last, added, greatestDeleted, foreign, changes);
    }

    /** Returns the present state. No thread changes it meanwhile. */
    StreamsMoment.At moment() {
        return inPeace(this::at);
    }

    /** Returns the present state as {@link #moment} does; null if another thread uses the stream for long. */
    StreamsMoment.@Nullable At momentIfUnused() {
        return soonInPeace(this::at);
    }

    private StreamsMoment.At at() {
        return new StreamsMoment.At(head(), this, firstFound != NOT_FOUND);
    }

    /** Returns whether a message was there when this server first counted the queue. Any thread may call this. */
    boolean wasFound(long sequence) {
        long found = firstFound;
        return found == NOT_FOUND || sequence < found;
    }

    /** Returns how many entries there are. */
    public long length() {
        return end - first - holes;
    }

    /**
     * Gives up the messages behind the moment to which the store was taken back. They belong to a future that does not come
     * again, and stay in the queue like deleted ones.
     */
    void giveUpRepeated() {
        long from = end;
        while (queue().next((segment, offset, length) -> end++)) {
            assert end > from : from;
        }
        if (end > from) {
            deleted.delete(from, end);
            holes += end - from;
            search.clear();
            skipDeleted();
            saveHead();
            changed();
        }
    }

    /** Returns the greatest id of all time, of an entry or of {@code XSETID}. */
    public StreamId last() {
        return last;
    }

    /** Returns how many entries were ever added. */
    public long added() {
        return added;
    }

    /** Returns the greatest id that was deleted. */
    public StreamId greatestDeleted() {
        return greatestDeleted;
    }

    /** Returns how many messages of the queue are not from this server. */
    public long foreign() {
        return foreign;
    }

    /** Returns the groups. */
    public Groups groups() {
        return groups;
    }

    /** Returns the producers, whose retries add nothing. */
    public Producers producers() {
        return producers;
    }

    /** Returns a number that grows with each change. */
    public long version() {
        return end + changes;
    }

    /** Returns a number that grows with each change except additions. */
    long changes() {
        return changes;
    }

    /** Returns a number that grows when an entry is deleted or the greatest id is set. */
    long rewrites() {
        return rewrites;
    }

    /** Records a change of the groups. */
    public void changed() {
        changes++;
        if (isKept()) {
            markDirty(); // its head is written when the store is kept
        }
    }

    /** Returns the sequence of the first entry, or {@link #end}. */
    @Override
    public long first() {
        return first;
    }

    /** Returns the sequence that the next entry will have. */
    public long end() {
        return end;
    }

    /** Returns the id of the first entry; zero if there is none. */
    public StreamId firstId() {
        return length() == 0 ? StreamId.ZERO : search.first();
    }

    /** Returns the id of the last entry; zero if there is none. */
    public StreamId lastId() {
        return length() == 0 ? StreamId.ZERO : search.last();
    }

    /** Reads the id of the message of a sequence. */
    StreamId idOf(long sequence) {
        StreamId[] id = new StreamId[1];
        read(sequence, sequence + 1, (segment, offset, length) -> id[0] = EntryFrame.id(segment, offset));
        return id[0];
    }

    /** Passes on the message of a sequence. If it is not in memory, the messages up to another one will be needed as well. */
    private void read(long sequence, long to, MessageHandler handler) {
        try {
            queue().read(sequence, handler);
        } catch (NotInMemoryException e) {
            throw notInMemory(sequence, to, e);
        }
    }

    /** Adds an entry, whose id must be greater than {@link #last}. */
    public void add(StreamId id, Fields fields) {
        long before = end;
        if (!isKept() || !repeated.isNext(queue(), end, EntryFrame.of(id, fields), this::count)) {
            queue().append(id, fields);
        }
        boolean journaled = false;
        try {
            while (end == before) {
                readOn(); // waits for another appender, where only this server may append
            }
            journaled = end == before + 1 && last.equals(id) && journal(before, id, fields);
        } finally {
            if (!journaled) {
                markDirty();
            }
        }
        if (last.compareTo(id) < 0) {
            throw new StorageException(
                    "stream " + number() + ": the entry " + id + " was appended, but its queue does not have it");
        }
    }

    /** Adds an entry to which a producer has given a number. */
    public void add(StreamId id, Fields fields, String producer, String number, long nowMillis) {
        try {
            producers.add(producer, number, id, nowMillis);
            add(id, fields);
        } catch (RuntimeException | Error e) {
            forget(producer, number, id, e);
            throw e;
        }
    }

    /** Forgets the number of an entry that could not be added, unless it is there nevertheless. */
    private void forget(String producer, String number, StreamId id, Throwable error) {
        try {
            catchUp();
            if (last.compareTo(id) < 0) {
                producers.forget(producer, number);
            }
        } catch (RuntimeException | Error e) { // the record stays, until the queue is opened again
            error.addSuppressed(e);
        }
    }

    /** Returns the sequence of the first entry with this id or a greater one; {@link #end} if there is none. */
    public long ceiling(StreamId id) {
        return search.ceiling(id);
    }

    /** Returns how many entries there are from a sequence up to another, exclusive. */
    public long count(long from, long to) {
        return from >= to ? 0 : to - from - deleted.count(from, to);
    }

    /** Returns whether there is an entry with an id. */
    public boolean contains(StreamId id) {
        return search.find(id) >= 0;
    }

    /** Passes an entry on; returns false if there is none. */
    public boolean read(StreamId id, EntryHandler handler) {
        long at = search.find(id);
        if (at >= 0) {
            forEach(at, at + 1, 1, handler);
        }
        return at >= 0;
    }

    /** Passes on at most {@code most} entries, from a sequence up to another, exclusive. */
    public void forEach(long from, long to, long most, EntryHandler handler) {
        long at = deleted.nextLive(from);
        for (long passed = 0; passed < most && at < to; passed++) {
            long sequence = at;
            at = deleted.nextLive(at + 1);
            boolean last = passed + 1 == most || at >= to;
            long left = most - passed;
            read(sequence, left > to - sequence ? to : sequence + left, (segment, offset, length) -> {
                handler.onEntry(EntryFrame.id(segment, offset), segment, offset);
                if (last) {
                    search.stopped(EntryFrame.id(segment, offset), sequence);
                }
            });
        }
    }

    /** Passes on at most {@code most} entries, from before a sequence back to another, inclusive. */
    public void forEachBackward(long from, long before, long most, EntryHandler handler) {
        long at = deleted.previousLive(before - 1);
        for (long passed = 0; passed < most && at >= from; passed++) {
            long left = most - passed;
            readBackward(at, left > at - from ? from : at - left + 1, handler);
            at = deleted.previousLive(at - 1);
        }
    }

    private void readBackward(long sequence, long from, EntryHandler handler) {
        try {
            queue().readBackward(
                            sequence,
                            (segment, offset, length) ->
                                    handler.onEntry(EntryFrame.id(segment, offset), segment, offset));
        } catch (NotInMemoryException e) {
            throw notInMemory(Math.max(first, from), sequence + 1, e);
        }
    }

    /** Deletes an entry; returns whether there was one. */
    public boolean delete(StreamId id) {
        long before = length();
        delete(List.of(id));
        return length() < before;
    }

    /**
     * Deletes entries. One record has the bits of 1,024 messages. On a full disk, the entries of earlier records may be deleted,
     * and the others stay.
     */
    public void delete(Collection<StreamId> ids) {
        NavigableMap<Long, StreamId> found = new TreeMap<>();
        for (StreamId id : ids) {
            long at = search.find(id);
            if (at >= 0) {
                found.put(at, id);
            }
        }
        try {
            deleted.delete(found.navigableKeySet(), at -> {
                holes++;
                rewrites++;
                greatestDeleted = StreamId.max(greatestDeleted, Objects.requireNonNull(found.get(at)));
                changed();
            });
        } finally {
            skipDeleted();
        }
        if (!found.isEmpty()) {
            ifThereIsRoom(this::saveHead);
        }
    }

    /**
     * Does what follows a change that has taken effect. On a full disk a later change does it. A kept store fails, since its
     * mirrors must not differ.
     */
    public void ifThereIsRoom(Runnable rest) {
        try {
            rest.run();
        } catch (DiskFullException e) {
            if (isKept()) {
                throw e;
            }
            LOGGER.log(System.Logger.Level.WARNING, "stream " + number() + ": " + e.getMessage());
        }
    }

    /** Removes all entries before a sequence; returns how many there were. An error leaves them. */
    public long trim(long before) {
        long to = Math.min(before, end);
        long removed = count(first, to);
        if (removed > 0) {
            long live = Math.min(deleted.nextLive(to), end);
            save(new StreamHead(end, live, last, added, greatestDeleted, foreign, changes));
            holes -= deleted.count(first, live);
            first = live;
            changed();
            ifThereIsRoom(() -> deleted.forgetBefore(first));
            if (first >= releasedUpTo + RELEASED_ENTRIES || first == end) {
                releasedUpTo = first;
                releaseSpaceLater();
            }
        }
        return removed;
    }

    /** Returns the sequence before which there are this many entries. */
    public long sequenceBehind(long entries) {
        long low = first;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (count(first, middle) < entries) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Sets the greatest id. Also sets the count of added entries unless it is negative, and the greatest deleted id unless it
     * is zero.
     */
    public void setLast(StreamId id, long entriesAdded, StreamId deletedId) {
        producers.forgetBehind(id); // new entries may get the same ids
        long nextAdded = entriesAdded >= 0 ? entriesAdded : added;
        StreamId nextDeleted = deletedId.isZero() ? greatestDeleted : deletedId;
        save(new StreamHead(end, first, id, nextAdded, nextDeleted, foreign, changes));
        search.clear(); // ids may come again
        rewrites++;
        last = id;
        added = nextAdded;
        greatestDeleted = nextDeleted;
        changed();
    }

    /** Finds the sequences of the next entries from a sequence on; returns how many. */
    public int live(long from, long[] into) {
        int count = 0;
        long at = deleted.nextLive(from);
        while (count < into.length && at < end) {
            into[count++] = at;
            at = deleted.nextLive(at + 1);
        }
        return count;
    }

    /** Copies the head of a stream with the same entries. */
    void takeHead(Stream source) {
        last = source.last;
        added = source.added;
        greatestDeleted = source.greatestDeleted;
        saveHead();
        markDirty();
    }

    void append(MemorySegment message, long offset, int length) {
        if (!isKept()) {
            queue().append(message, offset, length);
        } else if (!repeated.isNext(queue(), end, message.asSlice(offset, length), this::count)) {
            queue().append(message, offset, length);
            readOn();
        }
    }

    @Override
    void removeRecords() {
        records().remove(StreamRecords.key(number(), StreamRecords.HEAD));
        deleted.removeRecords();
        groups.removeRecords();
        producers.removeRecords();
    }
}
