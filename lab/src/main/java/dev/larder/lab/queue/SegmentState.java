package dev.larder.lab.queue;

/** What the space that a burst is written into is like when the burst begins. */
public enum SegmentState {
    /** As the queue finds it: new, or prepared by the queue itself while it was idle. */
    FRESH("fresh"),
    /** Present in memory: linked and populated right before the burst. */
    PREPARED("prepared"),
    /** Used before, freed by retention and still in the page cache. */
    RECYCLED("recycled");

    private final String word;

    SegmentState(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
