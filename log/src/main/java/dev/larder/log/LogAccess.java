package dev.larder.log;

import dev.larder.memory.Access;
import java.util.Objects;

/**
 * The access to the files of a log, by other users and by one opening. Immutable; each {@code with} returns a changed
 * copy.
 *
 * @param files which users may read and write the files that are created
 * @param readOnly whether the opening changes no file and takes no lock
 * @param verifyReads whether each record, or sealed range, is verified again on each read
 * @param allowRemote whether network, FUSE and 9p mounts are accepted, at the caller's risk
 */
public record LogAccess(Access files, boolean readOnly, boolean verifyReads, boolean allowRemote) {

    /** Makes an access; no value may be null. */
    public LogAccess {
        Objects.requireNonNull(files, "files");
    }

    /** Returns the defaults: files for the owner alone, reading and writing, on file systems of this machine. */
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
