package dev.larder.map;

/** Puts of ever new values for one key, until they are ended: each must find the value before. */
final class StressPuts {

    private final StressProcess by;
    private final long key;
    private long last;
    private boolean lost;
    private volatile boolean ended;

    StressPuts(StressProcess by, long key) {
        this.by = by;
        this.key = key;
    }

    void run() {
        do {
            long before = last == 0 ? StressMap.NONE : last;
            last += 1;
            lost |= by.put(key, last) != before;
        } while (!ended);
    }

    void end() {
        ended = true;
    }

    /** Returns whether no put was lost, the last one included. */
    boolean areAllThere() {
        return !lost && by.get(key) == last;
    }
}
