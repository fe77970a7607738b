package dev.larder.log.context;

import dev.larder.log.GoneException;
import dev.larder.log.segment.FirstSequences;

/** With which record, and at which time, each segment begins. */
public interface StartsOfSegments extends FirstSequences {

    /**
     * Returns the segment that a record lies in, or would: the last one that does not begin behind it.
     *
     * @throws GoneException when it was dropped
     */
    int segmentOfSequence(long sequence);

    /** Returns the last segment that begins before a time, or the first one. */
    int segmentOfTime(long millis);

    /** Returns the last segment of which it is known how many records come before: behind an open claim that is not known. */
    int lastKnown();
}
