package dev.larder.log;

import dev.larder.memory.Access;

/**
 * Who may come to the files of a log, and how an opening of it does. Immutable; each {@code with} returns a changed copy.
 *
 * @param files who may read and write the files that are created
 * @param readOnly whether nothing at all is written, not even a lock
 * @param verifyReads whether each record, or sealed range, is checked again when it is read
 * @param allowRemote whether network, FUSE and 9p mounts are accepted, at the caller's risk
 */
public record LogAccess(Access files, boolean readOnly, boolean verifyReads, boolean allowRemote) {

    /** Returns the defaults: the owner alone, reading and writing, on file systems of this machine. */
    public static LogAccess defaults() {
        return new LogAccess(Access.OWNER, false, false, false);
    }

    /** Returns a copy with other {@link #files}. */
    public LogAccess withFiles(Access who) {
        return new LogAccess(who, readOnly, verifyReads, allowRemote);
    }

    /** Returns a copy with another {@link #readOnly}. */
    public LogAccess withReadOnly(boolean only) {
        return new LogAccess(files, only, verifyReads, allowRemote);
    }

    /** Returns a copy with other {@link #verifyReads}. */
    public LogAccess withVerifyReads(boolean verify) {
        return new LogAccess(files, readOnly, verify, allowRemote);
    }

    /** Returns a copy with another {@link #allowRemote}. */
    public LogAccess withAllowRemote(boolean allow) {
        return new LogAccess(files, readOnly, verifyReads, allow);
    }
}
