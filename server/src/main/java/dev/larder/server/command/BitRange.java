package dev.larder.server.command;

/** A range of the bits of a string, from one to another, both inclusive; empty if the last lies before the first. */
record BitRange(long first, long last) {

    /** Returns the range of all bits of a string. */
    static BitRange whole(int length) {
        return new BitRange(0, 8L * length - 1);
    }

    /** Returns a range of bytes or bits of a string; numbers below 0 count from its end. */
    static BitRange of(long start, long end, int length, boolean inBits) {
        long total = inBits ? 8L * length : length;
        long from = Math.max(0, start < 0 ? start + total : start);
        long to = Math.min(total - 1, Math.max(0, end < 0 ? end + total : end));
        if (from > to) {
            return new BitRange(0, -1);
        }
        return inBits ? new BitRange(from, to) : new BitRange(8 * from, 8 * to + 7);
    }

    boolean isEmpty() {
        return last < first;
    }

    /** Returns how many of the bits are set. */
    long count(byte[] bytes) {
        if (isEmpty()) {
            return 0;
        }
        int from = (int) (first >> 3);
        int to = (int) (last >> 3);
        long count = 0;
        for (int i = from; i <= to; i++) {
            count += Integer.bitCount(bytes[i] & mask(i));
        }
        return count;
    }

    /** Returns the bits of a byte that are within the range. */
    private int mask(int index) {
        int mask = 0xFF;
        if (index == first >> 3) {
            mask &= 0xFF >> (first & 7);
        }
        if (index == last >> 3) {
            mask &= 0xFF << (7 - (last & 7));
        }
        return mask;
    }

    /** Returns the first bit that is set, or clear; -1 if there is none. */
    long find(byte[] bytes, boolean isSet) {
        if (isEmpty()) {
            return -1;
        }
        int to = (int) (last >> 3);
        for (int i = (int) (first >> 3); i <= to; i++) {
            int wanted = (isSet ? bytes[i] : ~bytes[i]) & mask(i);
            if (wanted != 0) {
                return 8L * i + Integer.numberOfLeadingZeros(wanted) - (Integer.SIZE - 8);
            }
        }
        return -1;
    }
}
