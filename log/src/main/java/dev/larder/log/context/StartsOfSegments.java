package dev.larder.log.context;

import dev.larder.log.GoneException;
import dev.larder.log.segment.FirstSequences;

/** The sequence and the time with which each segment begins. */
public interface StartsOfSegments extends FirstSequences {

    /**
     * Returns the segment that a record lies in, or would lie in: the last one that does not begin behind it.
     *
     * @throws GoneException when the record was dropped
     */
    int segmentOfSequence(long sequence);

    /** Returns the last segment that begins before a time, or the first one. */
    int segmentOfTime(long millis);

    /** Returns the last segment whose base sequence is known: behind an open claim it is not. */
    int lastKnown();
}
