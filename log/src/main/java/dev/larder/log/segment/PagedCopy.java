package dev.larder.log.segment;

import java.lang.foreign.MemorySegment;

/**
 * Copies into a mapping page by page, so that no store of the copying reaches into two pages.
 *
 * <p>Where nothing is reserved, a store into a page that was written back asks the file system for space anew, and while
 * there is hardly any, a file system that writes every block anew (btrfs) finds it by writing other pages back, which
 * closes those. A vector store over the border of two pages needs both open at once: with space for one it went on for
 * ever, within the kernel, where no signal and no safepoint reaches it. Seen on a full btrfs of Linux 6.18; one page at a
 * time goes on, or fails.
 */
public final class PagedCopy {

    private static final long PAGE_BYTES = 4096;

    private PagedCopy() {}

    /** Copies bytes to where a page of the mapping begins at each multiple of 4,096. */
    public static void copy(MemorySegment source, long from, MemorySegment mapping, long to, long length) {
        for (long done = 0; done < length; ) {
            long part = Math.min(length - done, PAGE_BYTES - ((to + done) & (PAGE_BYTES - 1)));
            MemorySegment.copy(source, from + done, mapping, to + done, part);
            done += part;
        }
    }
}
