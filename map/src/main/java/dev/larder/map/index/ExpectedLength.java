package dev.larder.map.index;

/**
 * How long the next record is likely to be that a thread reads: about as long as those before.
 *
 * <p>All lines of a record can be asked of the memory at once if one knows how many they are; else the first is waited for, which
 * says so, and the others come after it. A record that is shorter than expected costs lines that nobody needs, one that is
 * longer no more than before: so the expectation falls at once, and rises by quarters. Of one thread, or of several that need not
 * agree: it is stored to only when it changes.
 */
public final class ExpectedLength {

    /** Beyond that a processor sees by itself that one line after the other is read. */
    private static final int MAX_BYTES = 4096;

    private static final int RISE = 4;

    private int bytes;

    public int bytes() {
        return bytes;
    }

    /** Takes note of how long one was. */
    public void met(int length) {
        int now = Math.min(length, MAX_BYTES);
        int before = bytes;
        if (now != before) {
            bytes = now < before ? now : before + (now - before + RISE - 1) / RISE;
        }
    }
}
