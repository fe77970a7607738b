package dev.larder.map.entry;

import dev.larder.log.Position;
import dev.larder.log.append.BatchAppender;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.random.CheckedRecords;
import dev.larder.log.random.HeldSegment;
import dev.larder.log.random.LogRecords;
import dev.larder.map.format.Deadline;
import dev.larder.map.format.EntryLayout;
import dev.larder.map.index.Condition;
import dev.larder.map.index.Index;
import dev.larder.map.index.Lookup;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.raw.RawMemory;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Changes of entries; all of them go through one loop.
 *
 * <pre>
 *  find  ->  claim, fill  ->  link  ->  commit
 *  ^  condition fails: done   |
 *  +--------------------------+  lost, or no room
 *  </pre>
 *
 * <p>A thread that changes an entry stays pinned until it no longer needs the record that was there before.
 *
 * <p>The link is the moment of the change. If the position of a claim is below that of the record found, the claim is given up
 * for a new one. So the records of a key are linked in the order of their positions, and the last one in the log is the newest.
 */
public final class EntryStore {

    /** Writes the bytes behind the key of a claimed record. */
    @FunctionalInterface
    public interface Filler {
        void fill(MemorySegment record, long at);
    }

    /** Receives the position of each claim. */
    @FunctionalInterface
    public interface Claims {
        void claimed(long position);
    }

    private static final long NONE = OpenClaim.NONE;

    private final Path directory;
    private final Index index;
    private final LogRecords records;
    private final Claims claims;
    private final Failpoints steps;

    /**
     * Whether the last claim was in a segment after which the next one might be out of reach for puts. Then a put checks before
     * it claims. A claim that is given up leaves padding, and the log would grow by one segment for each one cleaned. Racy.
     */
    private boolean nearEnd;

    /** The last segment found not to be near the end; it stays so, as the first segment only rises. Racy. */
    private int clearSegment = -1;

    public EntryStore(Path directory, Index index, LogRecords records, Claims claims, Failpoints steps) {
        this.directory = directory;
        this.index = index;
        this.records = records;
        this.claims = claims;
        this.steps = steps;
    }

    /** Looks up the key of a probe, without a shared store. */
    public void find(Lookup probe) {
        index.find(probe);
    }

    /** Puts a value of a given length, with the probe's deadline, if the condition holds; returns whether it did. */
    public boolean put(Lookup probe, int length, Filler value, Condition condition) {
        return change(probe, condition, false, length, value);
    }

    /**
     * Puts a reference to a value in a pending record, with the probe's deadline, if the condition holds; returns whether it
     * did. The caller ensures that the pending record stays until the reference is linked.
     */
    public boolean putReference(Lookup probe, long pending, int offset, int length, Condition condition) {
        probe.putApart = length;
        Filler reference = (record, at) -> EntryLayout.writeReference(record, at, pending, offset, length);
        boolean put = change(probe, condition, false, EntryLayout.REFERENCE_BYTES, reference);
        probe.putApart = Lookup.NOT_APART;
        return put;
    }

    /**
     * Puts the value of a record again, with the probe's deadline, if the record is still the one of its key; returns whether
     * it was. A reference stays a reference.
     */
    public boolean putAgain(Lookup probe, long position, MemorySegment bytes, int length) {
        long at = LogRecords.payload(position);
        if (EntryLayout.isApart(EntryLayout.kind(bytes, at))) {
            return putReference(
                    probe,
                    EntryLayout.referencePosition(bytes, at, length),
                    EntryLayout.referenceOffset(bytes, at, length),
                    EntryLayout.referenceLength(bytes, at, length),
                    Condition.unchanged(position));
        }
        long from = EntryLayout.valueAt(bytes, at);
        return putCopy(probe, position, bytes, from, (int) (at + length - from));
    }

    /** Puts a copy of a value, with the probe's deadline, if a record is still the one of its key; returns whether it was. */
    public boolean putCopy(Lookup probe, long position, MemorySegment bytes, long from, int length) {
        Filler copy = (record, to) -> MemorySegment.copy(bytes, from, record, to, length);
        return put(probe, length, copy, Condition.unchanged(position));
    }

    /** Returns the committed records of a segment that has ended and is durable, each verified; the caller closes them. */
    public CheckedRecords checked(int segment) {
        return records.checked(segment);
    }

    /** Appends a record that no index word names, and returns its position. The caller is pinned. */
    public long append(OpenClaim claim, long length, Filler filler) {
        settleLeft(claim);
        try {
            HeldSegment there = claim(claim, length, false);
            long position = claim.position();
            filler.fill(there.claimed(), LogRecords.payload(position));
            AccessErrors.deliver(); // a record that was not stored must not be committed
            steps.reached("map.filled");
            records.commit(claim, there);
            claim.settled();
            return position;
        } catch (InternalError e) {
            throw records.fillFailed(e, claim.position());
        } finally {
            abandon(claim);
        }
    }

    /** Settles a claim that an error of the JVM has left open. */
    private void settleLeft(OpenClaim claim) {
        if (claim.position() != NONE) {
            records.settle(claim);
        }
    }

    public CorruptException damaged(long position, String what) {
        return records.damaged(position, what);
    }

    /** Notes that a record with a deadline is about to be linked. */
    public void noteExpiring() {
        index.expiring().note();
    }

    public void reached(String step) {
        steps.reached(step);
    }

    /** Removes the entry of the key if the condition holds, which must hold only for a value; returns whether it did. */
    public boolean remove(Lookup probe, Condition condition) {
        return change(probe, condition, true, 0, (record, at) -> {});
    }

    private boolean change(Lookup probe, Condition condition, boolean removal, int valueLength, Filler filler) {
        OpenClaim claim = probe.claim;
        settleLeft(claim);
        long length = length(probe, removal ? Deadline.NONE : probe.deadline, valueLength);
        try {
            index.find(probe);
            HeldSegment there = null;
            while (condition.holds(probe)) {
                if (there == null || claim.position() <= probe.state()) {
                    abandon(claim);
                    there = claim(claim, length, removal || probe.hasRecord());
                    fill(probe, there, claim.position(), kind(probe, removal), filler);
                } else {
                    setKind(there, claim.position(), kind(probe, removal));
                }
                if (index.link(probe, claim.position(), length + Math.max(probe.putApart, 0), removal)) {
                    commit(probe, claim, there);
                    return true;
                }
                index.find(probe);
            }
            return false;
        } catch (InternalError e) {
            throw records.fillFailed(e, claim.position());
        } finally {
            giveUp(probe, claim);
        }
    }

    private static long length(Lookup probe, long deadline, int valueLength) {
        return (long) EntryLayout.valueOffset(deadline, probe.keyLength) + valueLength;
    }

    /**
     * Ends a change, also after an error of the JVM in the middle of a link: if the record is linked, the change was made. If
     * the stack has no room for this, the open claim still names the record to be settled.
     */
    private void giveUp(Lookup probe, OpenClaim claim) {
        if (claim.position() != NONE && index.isLinked(probe, claim.position())) {
            records.commit(claim.position());
            probe.made = claim.position();
            claim.settled();
        } else {
            abandon(claim);
        }
    }

    /** Claims a record and returns its segment, which is looked up once for the whole change. */
    private HeldSegment claim(OpenClaim claim, long length, boolean freeing) {
        if (nearEnd) {
            requireReach(Position.of(records.tailSegment() + 1, 0), freeing);
        }
        long position = records.claim(length, claim);
        accept(position, freeing);
        return records.at(position);
    }

    private void accept(long claim, boolean freeing) {
        claims.claimed(claim);
        int segment = Position.segment(claim);
        if (segment != clearSegment) {
            nearEnd = !index.places().mayLink(Position.of(segment + 1, 0), false);
            if (nearEnd) {
                requireReach(claim, freeing);
            } else {
                clearSegment = segment;
            }
        }
        steps.reached("map.claimed");
    }

    private void requireReach(long position, boolean freeing) {
        if (!index.places().mayLink(position, freeing)) {
            throw full(position, freeing);
        }
    }

    private DiskFullException full(long position, boolean freeing) {
        return new DiskFullException(directory + ": the map is full: its log ends at " + Position.toString(position)
                + ", and an index covers at most " + index.places().spanMax(freeing)
                + " segments from the first one on");
    }

    /**
     * Fills a claimed record, by address if its file is kept mapped: the thread is pinned, so the segment of its claim is
     * neither dropped nor unmapped. The caller's code writes the value, always to the mapping, whose accesses are checked.
     */
    private void fill(Lookup probe, HeldSegment there, long claim, byte kind, Filler filler) {
        long at = LogRecords.payload(claim);
        long address = there.address();
        int before = RawMemory.IS_OPEN && address != 0
                ? EntryLayout.write(
                        RawMemory.ALL, RawMemory.word(address + at), kind, probe.deadline, probe.key, probe.keyLength)
                : EntryLayout.write(there.claimed(), at, kind, probe.deadline, probe.key, probe.keyLength);
        filler.fill(there.claimed(), at + before);
        AccessErrors.deliver(); // a record that was not stored must not be linked
        steps.reached("map.filled");
    }

    private static void setKind(HeldSegment there, long claim, byte kind) {
        EntryLayout.setKind(there.claimed(), LogRecords.payload(claim), kind);
    }

    private static byte kind(Lookup probe, boolean removal) {
        int first = probe.state() == NONE ? EntryLayout.FIRST : 0;
        return removal
                ? (byte) (EntryLayout.REMOVAL | first)
                : EntryLayout.withUses((byte) (valueKind(probe) | first), uses(probe));
    }

    private static byte valueKind(Lookup probe) {
        byte kind = EntryLayout.valueUntil(probe.deadline);
        return probe.putApart == Lookup.NOT_APART ? kind : EntryLayout.apart(kind);
    }

    private static int uses(Lookup probe) {
        boolean given = probe.uses != Lookup.AS_BEFORE || !probe.holdsValue();
        return given ? Math.max(probe.uses, 0) : probe.foundUses;
    }

    private void commit(Lookup probe, OpenClaim claim, HeldSegment there) {
        steps.reached("map.linked");
        records.commit(claim, there);
        probe.made = claim.position();
        claim.settled();
        steps.reached("map.committed");
    }

    private void abandon(OpenClaim claim) {
        if (claim.position() != NONE) {
            records.abandon(claim.position());
            claim.settled();
        }
    }

    /**
     * Links a committed record of the log, with so many live bytes, at the place where its key was found. Returns false if a
     * later record of that key is linked.
     */
    public boolean linkCommitted(Lookup probe, long position, long length, boolean removal) {
        while (probe.state() < position) {
            if (index.link(probe, position, length, removal)) {
                return true;
            }
            index.find(probe);
        }
        return false;
    }

    /**
     * Appends the staged records of a batch, committed, for {@link #linkCommitted}. The caller is pinned until all of them are
     * linked.
     *
     * @throws DiskFullException when there is no room; nothing was appended, and the caller may try again
     */
    void append(BatchAppender batch) {
        requireReach(Position.of(records.tailSegment() + 1, 0), false);
        batch.publish();
        claims.claimed(batch.firstPosition());
    }
}
