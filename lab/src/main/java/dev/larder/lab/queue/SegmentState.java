package dev.larder.lab.queue;

import java.util.Locale;

/** The state of a burst's space when the burst begins. */
public enum SegmentState {
    /** As the queue finds it: new, or prepared by the queue itself while it was idle. */
    FRESH,

    /** Present in memory: linked and populated right before the burst. */
    PREPARED,

    /** Used before, freed by retention and still in the page cache. */
    RECYCLED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
