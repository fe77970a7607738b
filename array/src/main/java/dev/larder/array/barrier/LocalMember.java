package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.OptionalLong;

/** What the barrier asks of this node's member of a stripe. Its methods do not wait. Thread-safe. */
public interface LocalMember {

    /** Returns its name. */
    MemberName name();

    /** Returns the member's term as it is now, leader or not. */
    long term();

    /** Returns whether it leads and has applied an entry of its own term. */
    boolean isReady();

    /** Returns whether it leads, in a term. */
    boolean leadsIn(long term);

    /** Returns who votes, by the newest entry of its log that says so. */
    Voters voters();

    /** Returns the index up to which entries are known to be committed. */
    long commitIndex();

    /**
     * Returns the term that it answers to others: empty unless it runs and is a voter. A member that starts has not loaded yet
     * what it has promised, so it must not answer.
     */
    OptionalLong answer();
}
