package dev.larder.log.segment;

/** Finds the sequence with which each segment begins. */
@FunctionalInterface
public interface FirstSequences {

    /**
     * Returns how many records were committed before a segment; {@link Ascending#UNKNOWN} while an earlier claim is not
     * settled.
     */
    long firstSequence(int segment);
}
