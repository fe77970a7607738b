package dev.larder.log.segment;

/** Numbers that ascend with their index, some of them unknown. */
@FunctionalInterface
public interface Ascending {

    long UNKNOWN = -1;

    /** Returns the number at an index, or {@link #UNKNOWN}. */
    long at(int index);

    /**
     * Returns the last index in a range whose number is known and less than a limit; the first of the range if there is none.
     * Reads about as many numbers as the logarithm of the range, if most are known.
     */
    default int lastBelow(long limit, int first, int last) {
        int low = first;
        int high = last;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            int known = known(middle, low, -1);
            if (known == low) {
                known = known(middle, high + 1, 1);
                if (known > high || at(known) >= limit) {
                    return low;
                }
            }
            if (at(known) < limit) {
                low = known;
            } else {
                high = known - 1;
            }
        }
        return low;
    }

    /** Returns the nearest known index, from a start up to an end that it does not read. */
    private int known(int from, int end, int step) {
        int index = from;
        while (index != end && at(index) == UNKNOWN) {
            index += step;
        }
        return index;
    }
}
