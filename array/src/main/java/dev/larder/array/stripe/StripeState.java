package dev.larder.array.stripe;

import dev.larder.array.entry.SplitEntry;
import java.nio.ByteBuffer;
import java.util.Optional;

/** What the entries of a stripe change. Entries are applied one after the other; all else may be called by any thread. */
public interface StripeState {

    /**
     * The place of an entry in the log of a stripe.
     *
     * @param term the term of the leader that has made it
     * @param index its number
     */
    record Place(long term, long index) {
        /** Before the first entry. */
        public static final Place NONE = new Place(0, -1);

        /** The term of an entry of which the index alone is known: no entry has it. */
        public static final long UNKNOWN_TERM = 0;
    }

    /**
     * Where the log of a leader begins.
     *
     * @param first its first entry
     * @param leader the leader's node; {@link #UNKNOWN} if it is not known
     * @param term the term in which it leads, which is not that of the entry
     */
    record LogBeginning(Place first, int leader, long term) {
        /** In place of the number of a node. */
        public static final int UNKNOWN = -1;
    }

    /**
     * Applies an entry, and returns the replies to its commands. The same entry has the same effect on every member. One that
     * was applied before this process began, and whose effect has survived, has no further one.
     *
     * <p>Whatever it throws stops the member: an entry is never skipped.
     *
     * @param reads what is read between its operations, on the member that has made the entry. They change nothing
     */
    ByteBuffer apply(Place place, ByteBuffer entry, EntryReads reads);

    /** Applies an entry without reads. */
    default ByteBuffer apply(Place place, ByteBuffer entry) {
        return apply(place, entry, EntryReads.NONE);
    }

    /**
     * Applies an entry whose large values lie elsewhere: see {@link #values}. All else is as with a whole one.
     *
     * @param log what the log has of it
     * @param values the values, one behind the other
     */
    default ByteBuffer apply(Place place, ByteBuffer log, ByteBuffer values, EntryReads reads) {
        return apply(place, SplitEntry.of(log).join(values), reads);
    }

    /** Returns where the large values of entries lie; empty: they lie in the log. */
    default Optional<EntryValues> values() {
        return Optional.empty();
    }

    /** Hears that the log is applied up to an index, entries of Raft's own included. */
    void reached(long index);

    /** Returns the last entry whose effects, and those of all before it, survive a power loss. Entries behind it come again. */
    Place durable();

    /** Makes all that was applied durable; {@link #durable} then says so. */
    void sync();

    /** Hears that this node's member has begun or ceased to lead, or that another one leads. */
    void roleChanged();

    /**
     * Hears that the leader no longer has what this member lacks: its state must come from another member. Whoever does that stops
     * the member first.
     *
     * @param begun what the leader has, as it has just said
     * @param least up to which entry the state must lead, or further
     */
    default void behind(LogBeginning begun, long least) {}

    /** Hears that the member has stopped by itself: its log cannot be written, or an entry cannot be applied. */
    void failed(Throwable cause);
}
