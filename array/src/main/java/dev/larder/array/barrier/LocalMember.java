package dev.larder.array.barrier;

import dev.larder.array.MemberName;
import java.util.OptionalLong;

/** This node's member of a stripe, as the barrier sees it. Its methods do not wait. Thread-safe. */
public interface LocalMember {

    /** Returns the member's name. */
    MemberName name();

    /** Returns the member's present term, whether it leads or not. */
    long term();

    /** Returns whether the member leads and has applied an entry of its own term. */
    boolean isReady();

    /** Returns whether the member leads in a given term. */
    boolean leadsIn(long term);

    /** Returns the voters, by the newest entry of the member's log that names them. */
    Voters voters();

    /** Returns the index up to which entries are known to be committed. */
    long commitIndex();

    /**
     * Returns the term that the member reports to others; empty unless it runs and is a voter. A starting member has not loaded
     * its promises yet, so it must not answer.
     */
    OptionalLong answer();
}
