package dev.larder.map.index;

/**
 * The likely length of the next record that a thread reads: about as long as those before.
 *
 * <p>If their number is known, all cache lines of a record can be requested from memory at once. Otherwise the first line is
 * waited for, which contains the length, and the others come after it. A record that is shorter than expected costs unneeded
 * lines; a longer one costs no more than before. So the expectation falls at once, and rises by quarters. Used by one thread,
 * or by several that need not agree: it is stored to only when it changes.
 */
public final class ExpectedLength {

    /** Beyond this length, a processor itself detects that one line after the other is read. */
    private static final int MAX_BYTES = 4096;

    private static final int RISE = 4;

    private int bytes;

    public int bytes() {
        return bytes;
    }

    /** Adjusts the expectation to the length of a record. */
    public void met(int length) {
        int now = Math.min(length, MAX_BYTES);
        int before = bytes;
        if (now != before) {
            bytes = now < before ? now : before + (now - before + RISE - 1) / RISE;
        }
    }
}
