package dev.larder.server.command;

/**
 * A type of integers of some bits, the highest bit first. Signed integers are in two's complement; unsigned ones have at most
 * 63 bits.
 *
 * @param signed whether there are numbers below 0
 * @param bits how many bits, 1 to 64
 */
record BitInteger(boolean signed, int bits) {

    /** What happens to a sum that the bits cannot hold. */
    enum Overflow {
        /** Its lowest bits are kept. */
        WRAP,
        /** The result is the greatest number, or the least. */
        SAT,
        /** Nothing is changed. */
        FAIL
    }

    private long most() {
        return signed ? (1L << (bits - 1)) - 1 : (1L << bits) - 1;
    }

    private long least() {
        return signed ? -most() - 1 : 0;
    }

    /** Reads a number; bits behind the end of the string are 0. */
    long read(byte[] bytes, int length, long offset) {
        long value = 0;
        for (int i = 0; i < bits; i++) {
            long at = offset + i;
            long index = at >> 3;
            int bit = index < length ? bytes[(int) index] >> (7 - (at & 7)) & 1 : 0;
            value = value << 1 | bit;
        }
        return wrapped(value);
    }

    /** Writes a number into a string that is long enough. */
    void write(byte[] bytes, long offset, long value) {
        for (int i = 0; i < bits; i++) {
            long at = offset + i;
            int index = (int) (at >> 3);
            int mask = 1 << (7 - (at & 7));
            boolean set = (value >>> (bits - 1 - i) & 1) != 0;
            bytes[index] = (byte) (set ? bytes[index] | mask : bytes[index] & ~mask);
        }
    }

    private long wrapped(long value) {
        if (bits == Long.SIZE) {
            return value;
        }
        int spare = Long.SIZE - bits;
        return signed ? value << spare >> spare : value << spare >>> spare;
    }

    /**
     * Returns 1 if a sum is greater than the greatest number, -1 if it is less than the least, else 0. For an unsigned type, a
     * number below 0 counts as one of 64 bits: too great.
     */
    int overflows(long value, long added) {
        if (signed) {
            return signedOverflow(value, added);
        }
        if (Long.compareUnsigned(value, most()) > 0 || (added > 0 && added > most() - value)) {
            return 1;
        }
        return added < 0 && added < -value ? -1 : 0;
    }

    private int signedOverflow(long value, long added) {
        long sum = value + added;
        if (((value ^ sum) & (added ^ sum)) < 0) {
            return added > 0 ? 1 : -1;
        }
        return sum > most() ? 1 : sum < least() ? -1 : 0;
    }

    /** Returns a sum, as the bits can hold it. */
    long sum(long value, long added, Overflow overflow) {
        int over = overflows(value, added);
        if (over == 0 || overflow != Overflow.SAT) {
            return wrapped(value + added);
        }
        return over > 0 ? most() : least();
    }
}
