package dev.larder.memory.portable;

import dev.larder.memory.AccessErrors;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.StorageException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Populates pages by touching one word of each from Java.
 *
 * <p>A page that cannot be backed raises SIGBUS, which the JVM delivers as {@link InternalError} ({@link AccessErrors}).
 */
public final class PageTouch {

    /** The smallest page of any system. On larger pages some touches are redundant. */
    private static final long PAGE_BYTES = 4096;

    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    /** The target of the words read, so that the compiler cannot omit the reads. */
    @SuppressWarnings("unused")
    private static int lastRead;

    private PageTouch() {}

    /** Makes each page present and writable by adding 0 atomically, so other writers lose nothing. */
    public static void forWrite(MemorySegment mapped) {
        try {
            addZeroToEachPage(mapped);
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw new DiskFullException(
                    "cannot back " + describe(mapped) + ": the file system is full, or the device failed", e);
        }
    }

    /** Makes each page present. */
    public static void forRead(MemorySegment mapped) {
        try {
            lastRead = readEachPage(mapped);
            AccessErrors.deliver();
        } catch (InternalError e) {
            throw unreadable(mapped, e);
        }
    }

    static StorageException unreadable(MemorySegment mapped, InternalError cause) {
        return new StorageException("cannot read " + describe(mapped) + ": a page could not be loaded", cause);
    }

    public static String describe(MemorySegment mapped) {
        return "the " + mapped.byteSize() + " mapped bytes at 0x" + Long.toHexString(mapped.address());
    }

    private static void addZeroToEachPage(MemorySegment mapped) {
        long end = mapped.byteSize() - Integer.BYTES;
        for (long offset = firstWord(mapped); offset <= end; offset = next(mapped, offset)) {
            WORD.getAndAdd(mapped, offset, 0);
        }
    }

    private static int readEachPage(MemorySegment mapped) {
        int all = 0;
        long end = mapped.byteSize() - Integer.BYTES;
        for (long offset = firstWord(mapped); offset <= end; offset = next(mapped, offset)) {
            all ^= (int) WORD.getOpaque(mapped, offset);
        }
        return all;
    }

    private static long firstWord(MemorySegment mapped) {
        return -mapped.address() & (Integer.BYTES - 1);
    }

    private static long next(MemorySegment mapped, long offset) {
        long address = mapped.address() + offset;
        return offset + PAGE_BYTES - (address & (PAGE_BYTES - 1));
    }
}
