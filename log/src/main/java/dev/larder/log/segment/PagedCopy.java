package dev.larder.log.segment;

import java.lang.foreign.MemorySegment;

/**
 * Copies into a mapping page by page, so that no single store reaches into two pages.
 *
 * <p>Where nothing is reserved, a store into a page that was written back asks the file system for space again. When space is
 * short, a file system that writes every block anew (btrfs) finds it by writing back other pages, which closes those pages. A
 * vector store over the border of two pages needs both open at once. With space for one page, such a store continued for ever
 * within the kernel, where no signal and no safepoint reaches it. This was seen on a full btrfs of Linux 6.18. A store into
 * one page at a time continues, or fails.
 */
public final class PagedCopy {

    private static final long PAGE_BYTES = 4096;

    private PagedCopy() {}

    /** Copies bytes into a mapping whose pages begin at the multiples of 4,096. */
    public static void copy(MemorySegment source, long from, MemorySegment mapping, long to, long length) {
        for (long done = 0; done < length; ) {
            long part = Math.min(length - done, PAGE_BYTES - ((to + done) & (PAGE_BYTES - 1)));
            MemorySegment.copy(source, from + done, mapping, to + done, part);
            done += part;
        }
    }
}
