package dev.larder.log.context;

import dev.larder.log.Position;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.segment.Segment;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.StorageException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Finds whose fault an {@link InternalError} is. The JVM throws one for each access to mapped memory that the system could not
 * serve. That memory may be the log's, or that of the caller, whose handlers, codecs and functions run inside our calls. The
 * error may come late, so the place where it is caught proves nothing.
 *
 * <p>So the log's own pages are tested, by a call that returns an error where an access would fault. If they are sound, the
 * error is the caller's, and the log continues.
 */
public final class Faults {

    private final LogSession session;

    Faults(LogSession session) {
        this.session = session;
    }

    /** Returns whether the memory of a writer can be stored to: the shared words, a segment's header, and a claim in it. */
    public boolean canStore(Segment segment, long claim) {
        MemorySegment memory = segment.memory;
        try {
            session.storage.populateForWrite(session.control.memory.asSlice(0, ControlLayout.SLOT_TABLE));
            session.storage.populateForWrite(memory.asSlice(0, segment.head));
            if (claim >= 0) {
                long at = Position.offset(claim);
                session.storage.populateForWrite(memory.asSlice(at, RecordWord.BYTES));
                session.storage.populateForWrite(memory.asSlice(at, sizeBytes(segment, at)));
            }
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    /**
     * Returns the error to throw in place of one that came while a record was read. Throws that error itself where the record
     * can be read. A reader never fails the log for others.
     */
    public RuntimeException whileReading(InternalError met, Segment segment, long at) {
        if (canRead(segment, at)) {
            throw met;
        }
        return readFailed(met, segment);
    }

    /**
     * Makes a call that reads the words that all processes share, and runs no code of the caller.
     *
     * @throws StorageException if the system could not serve an access to them: the control file was cut, or its device failed
     */
    public <T> T looking(Supplier<T> call) {
        AccessErrors.deliver(); // an earlier access of the caller, to other memory, may have failed
        try {
            T found = call.get();
            AccessErrors.deliver();
            return found;
        } catch (InternalError e) {
            if (canReadShared()) {
                throw e;
            }
            throw readFailed(e, session.control.path());
        }
    }

    private boolean canReadShared() {
        try {
            session.storage.populateForRead(session.control.memory);
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    private boolean canRead(Segment segment, long at) {
        try {
            session.storage.populateForRead(session.control.memory.asSlice(0, ControlLayout.SLOT_TABLE));
            session.storage.populateForRead(segment.memory.asSlice(0, segment.head));
            session.storage.populateForRead(segment.memory.asSlice(at, RecordWord.BYTES));
            session.storage.populateForRead(segment.memory.asSlice(at, sizeBytes(segment, at)));
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    private static long sizeBytes(Segment segment, long at) {
        long word = segment.wordAcquire(at);
        long size = RecordWord.isEnd(word) ? RecordWord.BYTES : RecordWord.sizeBytes(RecordWord.length(word));
        return Math.min(size, segment.limit - at);
    }

    /** Returns the error for a reader that has run no code of the caller. */
    public StorageException readFailed(InternalError met, Segment segment) {
        return readFailed(met, segment.number);
    }

    /** Returns the same, for a reader that was about to enter a segment. */
    public StorageException readFailed(InternalError met, int number) {
        Path file = session.segments.files().path(number);
        return readFailed(met, canReadShared() ? file : session.control.path());
    }

    private static StorageException readFailed(InternalError met, Path file) {
        return new StorageException(
                file + ": cannot read the mapped file (" + met.getMessage()
                        + "): the file was truncated, or its device failed",
                met);
    }
}
