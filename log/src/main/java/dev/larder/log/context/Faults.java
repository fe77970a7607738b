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
 * Whose fault an {@link InternalError} is. The JVM makes one of each access to mapped memory that the system could not
 * serve, whosever memory that was: the log's, or the caller's, whose handlers, codecs and functions run inside our calls. It
 * may come late, so the place where it is caught says nothing.
 *
 * <p>So the log's own pages are asked about, by a call that returns an error where an access would fault. Are they sound,
 * the error is the caller's, and the log goes on.
 */
public final class Faults {

    private final LogSession session;

    Faults(LogSession session) {
        this.session = session;
    }

    /** Returns whether what a writer stores to can be stored to: the shared words, a segment's header, and a claim in it. */
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
     * Returns the error to be thrown in place of one that came while a record was read: itself, where the record can be. Who
     * only reads fails the log for nobody.
     */
    public RuntimeException whileReading(InternalError met, Segment segment, long at) {
        if (canRead(segment, at)) {
            throw met;
        }
        return readFailed(met, segment);
    }

    /**
     * Makes a call that looks at the words that all processes share, and calls nobody else's code.
     *
     * @throws StorageException if the system could not serve an access to them: the control file was cut, or its device failed
     */
    public <T> T looking(Supplier<T> call) {
        AccessErrors.deliver(); // an earlier access of the caller's may have failed, to other memory
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

    /** Returns the error of one who reads, and has called nobody else's code. */
    public StorageException readFailed(InternalError met, Segment segment) {
        return readFailed(met, segment.number);
    }

    /** Returns the same, of one who was on the way to a segment. */
    public StorageException readFailed(InternalError met, int number) {
        Path file = session.segments.files().path(number);
        return readFailed(met, canReadShared() ? file : session.control.path());
    }

    private static StorageException readFailed(InternalError met, Path file) {
        return new StorageException(
                file + ": cannot read the mapped file (" + met.getMessage() + "): it was cut, or its device failed",
                met);
    }
}
