package dev.larder.log;

/** A count of a log's work. The order is that of the file {@code log.cnt}; new counters are added at the end. */
public enum LogCounter {
    /** Records appended. */
    APPENDS,
    /** Bytes of records appended, with record words and padding. */
    APPENDED_BYTES,
    /** Flushes. */
    SYNCS,
    /** Nanoseconds spent in flushes. */
    SYNC_NANOS,
    /** Times that an appender entered the next segment. */
    ROLLS,
    /** Segments linked before they were needed. */
    PREPARED,
    /** Bytes made present ahead of the tail. */
    POPULATED_BYTES,
    /** Bytes whose write-back was started behind the tail. */
    WRITTEN_BACK_BYTES,
    /** Claims of dead writers that became padding. */
    RECOVERED_CLAIMS,
    /** Times that a reader slept. */
    WAITS,
    /** Times that a live writer's claim blocked a reader or a sync for 1 ms or more. */
    STALLS,
    /** Openings that found a crash or a power loss. */
    RECOVERIES,
    /** Blocks whose seal was verified when they were read from the disk. */
    VERIFIED_BLOCKS,
    /** Segments dropped by retention. */
    DROPPED,
    /** Segments whose file belonged to a dropped segment before. */
    RECYCLED
}
