package dev.larder.log.context;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogFailedException;
import dev.larder.log.Position;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.TruncatedException;

/** The errors of a sync behind an append. Its caller must learn that the record is there, and would be there twice. */
final class UnsyncedRecord {

    private UnsyncedRecord() {}

    /** Returns an error of the same class, whose text also names the record that was appended. */
    static LarderException naming(long position, LarderException met) {
        String record = "the record at " + Position.toString(position)
                + " was appended, and is not synced yet: do not append it again";
        String text = met.getMessage() + "; " + record;
        return switch (met) {
            case InterruptedWaitException e -> new InterruptedWaitException(text, e);
            case ClosedException e -> new ClosedException(text + "; closing the log syncs it", e);
            case LogBusyException e -> new LogBusyException(text, e);
            case LogFailedException e -> new LogFailedException(text, e);
            case SystemLimitException e -> new SystemLimitException(text, e);
            case DiskFullException e -> new DiskFullException(text, e);
            case StorageException e -> new StorageException(text, e);
            case CorruptException e -> new CorruptException(text, e);
            case TruncatedException e -> new TruncatedException(text, e);
            default -> ofOtherClass(record, text, met);
        };
    }

    /** A class that no sync throws today keeps its own text, so that the caller can still tell it by its class. */
    private static LarderException ofOtherClass(String record, String text, LarderException met) {
        if (met.getClass().equals(LarderException.class)) {
            return new LarderException(text, met);
        }
        met.addSuppressed(new LarderException(record));
        return met;
    }
}
