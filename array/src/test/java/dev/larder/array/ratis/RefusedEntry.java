package dev.larder.array.ratis;

import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;

/** The refusals of entries, for tests outside this package. */
public final class RefusedEntry {

    private RefusedEntry() {}

    /** Returns the refusal of an entry by a leader that hands over. */
    public static NotCommittedException refusal() {
        return new NotCommittedException(new LeaderSteppingDownException("injected"));
    }
}
