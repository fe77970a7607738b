package dev.larder.log.random;

import java.util.function.LongSupplier;

/**
 * The pages of a log that a thread has just found missing, or has just loaded. The system is not asked for them again. An
 * event loop finds a page missing, another thread loads it, and the loop reads it again, all within a millisecond.
 *
 * <pre>
 * one word a page, in the slot of its hash: a later page takes its place
 *
 *  63            33 32                1 0
 * | tag of the page | when, about in ms | 1: brought in, 0: found missing |
 * </pre>
 *
 * Shared by all threads, without any order among them. The words are advice: a thread that relies on a wrong one waits in a
 * page fault, or rereads a page that is there.
 */
final class RecentPages {

    private static final int SLOT_BITS = 8;
    private static final long MIXED = 0x9E37_79B9_7F4A_7C15L;
    private static final int TAG_SHIFT = 33;
    private static final int TIME_SHIFT = 20;

    /** How long a word is valid, in units of 2^20 ns. A page stays for longer than that, unless nearly no memory is left. */
    private static final int COUNTS = 10;

    private final long[] words = new long[1 << SLOT_BITS];
    private final LongSupplier nanoTime;

    /** An empty set of pages, with a clock of nanoseconds. */
    RecentPages(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Records that a page is missing. */
    void missed(long page) {
        note(page, 0);
    }

    /** Records that a page was loaded. */
    void broughtIn(long page) {
        note(page, 1);
    }

    /** Returns whether a page was found missing a moment ago, and not known to have been loaded since. */
    boolean isMissing(long page) {
        return isNoted(page, 0);
    }

    /** Returns whether a page was loaded a moment ago. */
    boolean isBroughtIn(long page) {
        return isNoted(page, 1);
    }

    private void note(long page, long what) {
        long mixed = page * MIXED;
        words[slot(mixed)] = mixed << TAG_SHIFT | (now() & 0xFFFF_FFFFL) << 1 | what;
    }

    private boolean isNoted(long page, long what) {
        long mixed = page * MIXED;
        long word = words[slot(mixed)];
        boolean same = ((word ^ (mixed << TAG_SHIFT | what)) & (-1L << TAG_SHIFT | 1)) == 0;
        return same && Integer.compareUnsigned(now() - (int) (word >>> 1), COUNTS) < 0;
    }

    private static int slot(long mixed) {
        return (int) (mixed >>> (Long.SIZE - SLOT_BITS));
    }

    private int now() {
        return (int) (nanoTime.getAsLong() >>> TIME_SHIFT);
    }
}
