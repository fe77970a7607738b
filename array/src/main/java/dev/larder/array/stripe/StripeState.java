package dev.larder.array.stripe;

import dev.larder.array.entry.SplitEntry;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The state that the entries of a stripe change. Entries are applied one after the other; any thread may call the other methods.
 */
public interface StripeState {

    /**
     * The place of an entry in the log of a stripe.
     *
     * @param term the term of the leader that made it
     * @param index its number
     */
    record Place(long term, long index) {
        /** The place before the first entry. */
        public static final Place NONE = new Place(0, -1);

        /** The term of an entry of which only the index is known: no entry has this term. */
        public static final long UNKNOWN_TERM = 0;
    }

    /**
     * The place where the log of a leader begins.
     *
     * @param first its first entry
     * @param leader the leader's node; {@link #UNKNOWN} if it is not known
     * @param term the term in which it leads, which is not the term of the entry
     */
    record LogBeginning(Place first, int leader, long term) {
        /** Stands for an unknown node. */
        public static final int UNKNOWN = -1;
    }

    /**
     * Applies an entry, and returns the replies to its commands. The same entry has the same effect on every member. An entry
     * that was applied before this process began, and whose effect has survived, has no further effect.
     *
     * <p>Whatever it throws stops the member: an entry is never skipped.
     *
     * @param reads the reads between its operations, on the member that made the entry. They change nothing
     */
    ByteBuffer apply(Place place, ByteBuffer entry, EntryReads reads);

    /** Applies an entry without reads. */
    default ByteBuffer apply(Place place, ByteBuffer entry) {
        return apply(place, entry, EntryReads.NONE);
    }

    /**
     * Applies an entry whose large values lie elsewhere: see {@link #values}. Otherwise as with a whole entry.
     *
     * @param log the part of the entry that the log has
     * @param values the values, concatenated
     */
    default ByteBuffer apply(Place place, ByteBuffer log, ByteBuffer values, EntryReads reads) {
        return apply(place, SplitEntry.of(log).join(values), reads);
    }

    /** Returns the holder of the large values of entries; empty if they are in the log. */
    default Optional<EntryValues> values() {
        return Optional.empty();
    }

    /** Called when the log is applied up to an index, including Raft's own entries. */
    void reached(long index);

    /**
     * Returns the last entry whose effects, and those of all before it, survive a power loss. Later entries are applied again.
     */
    Place durable();

    /** Makes all applied entries durable; {@link #durable} then reports that. */
    void sync();

    /** Called when this node's member has begun or ceased to lead, or when another one leads. */
    void roleChanged();

    /**
     * Called when the leader no longer has entries that this member lacks: its state must come from another member. The member
     * must be stopped before its state is replaced.
     *
     * @param begun the beginning of the leader's log, as just reported
     * @param least the entry that the state must at least cover
     */
    default void behind(LogBeginning begun, long least) {}

    /** Called when the member has stopped by itself: its log cannot be written, or an entry cannot be applied. */
    void failed(Throwable cause);
}
