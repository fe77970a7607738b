package dev.larder.log.background;

import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.CountersFile;
import dev.larder.log.sync.Syncer;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;

/** Seals and writes back the bytes behind the tail, so that a later sync has little left to do. */
final class WriteBehind {

    private final LogOptions options;
    private final Storage storage;
    private final ControlFile control;
    private final Syncer syncer;
    private final LockedPages locked;
    private final CountersFile counters;

    /** The offset up to which write-back was started in the segment {@link #number}. */
    private long writtenBack;

    private int number = -1;

    WriteBehind(LogOptions options, ControlFile control, Syncer syncer, LockedPages locked, CountersFile counters) {
        this.options = options;
        this.storage = HookedOptions.storage(options);
        this.control = control;
        this.syncer = syncer;
        this.locked = locked;
        this.counters = counters;
    }

    /** Begins at an offset of a segment; the bytes before it are left to other processes. */
    void begin(Segment segment, long offset) {
        number = segment.number;
        writtenBack = offset;
    }

    /** Seals and writes back up to the tail, once a stride has gathered; returns whether it had. */
    boolean follow(Segment segment) {
        long end = segment.hintAfter(segment.head);
        boolean due = isBegun(segment) && end - writtenBack >= Maintenance.STRIDE_BYTES;
        if (due) {
            sealAndWriteBack(segment, end);
        }
        return due;
    }

    /** Seals and writes back the rest of a segment that has ended, if this process has appended anything. */
    void finish(Segment segment, boolean appended) {
        locked.releaseUpTo(segment, segment.limit);
        if (HookedOptions.of(options).linked()) {
            segment.expect(AccessOrder.RANDOM, storage); // its records are read by position now, in any order
        }
        if (appended && isBegun(segment) && writtenBack < segment.limit) {
            sealAndWriteBack(segment, segment.hintAfter(segment.head));
        }
    }

    private boolean isBegun(Segment segment) {
        return options.durability().earlyWriteback() && segment.number == number;
    }

    private void sealAndWriteBack(Segment segment, long end) {
        locked.releaseUpTo(segment, end);
        segment.releasePageTables(writtenBack, end, storage);
        syncer.sealSettled();
        startWriteback(segment, end);
    }

    private void startWriteback(Segment segment, long end) {
        StorageFile file = segment.file();
        if (file != null && end > writtenBack) {
            startWriteback(file, writtenBack, end - writtenBack);
            counters.add(LogCounter.WRITTEN_BACK_BYTES, end - writtenBack);
        }
        writtenBack = end;
    }

    /**
     * Starts the write-back. After a failed one, pages that were never written count as clean, so no later flush can be
     * trusted. Where the JVM has no memory or no stack for the call, nothing was started, or the next flush reports its error:
     * the write-back only saves that flush some work.
     */
    private void startWriteback(StorageFile file, long offset, long length) {
        try {
            file.startWriteback(offset, length);
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw e;
        } catch (StorageException | Error e) {
            control.failFlush();
            throw e;
        }
    }
}
