package dev.larder.log.segment;

/**
 * How many bytes a log gets between two syncs, learned while its segments fill. It sets the pieces in which zeros are written
 * ahead of the log's writers.
 *
 * <p>ext4 makes a large page (a folio) of each piece. A store through a mapping makes the whole folio dirty, and a sync
 * writes it whole: one or two folios more than was appended. So a piece is at most an eighth of what a sync makes durable.
 * But a log that appends {@link #SELDOM_BYTES} and more between two syncs, or is never synced, gets the largest pieces. A
 * mapping needs one page table entry for each, which no smaller piece would save.
 *
 * <p>It is updated once for each segment that is made. Too few appends and syncs change nothing. Thread-safe.
 */
final class SyncPace {

    /** For a writer that waits for a sync after a few records: there the fault that each folio costs is not noticed. */
    static final long SMALLEST_BYTES = 4L << 10;

    /** Used as long as nothing is known: in a first segment, and in the next one of a log that was opened again. */
    static final long UNKNOWN_BYTES = 64L << 10;

    static final long LARGEST_BYTES = 2L << 20;

    private static final long SELDOM_BYTES = 4L << 20;
    private static final long PART = 8;
    private static final long TOLD_BYTES = 256L << 10; // this many appended bytes tell something, or this many syncs
    private static final long TOLD_SYNCS = 16;

    private long piece;
    private long syncs;
    private int number;
    private long used;
    private long rest;
    private boolean begun;

    /**
     * Starts from what is known at first.
     *
     * @param eachAppend whether each append is synced before it returns
     * @param appendedBytes how many bytes were appended since the log was created
     * @param syncs how many syncs there were since the log was created
     */
    SyncPace(boolean eachAppend, long appendedBytes, long syncs) {
        long known = syncs >= TOLD_SYNCS ? piece(appendedBytes / syncs) : UNKNOWN_BYTES;
        this.piece = eachAppend
                ? SMALLEST_BYTES
                : Math.min(known, UNKNOWN_BYTES); // a bulk load may be over; a piece that is too small costs less
        this.syncs = syncs;
        this.begun = appendedBytes == 0 && syncs == 0; // a new log, which begins at its segment 0
    }

    private static long piece(long bytesASync) {
        return bytesASync >= SELDOM_BYTES
                ? LARGEST_BYTES
                : Math.max(SMALLEST_BYTES, Long.highestOneBit(bytesASync / PART));
    }

    /** Returns the size of the pieces in which zeros are to be written. */
    synchronized long pieceBytes() {
        return piece;
    }

    /**
     * Records where the log ends.
     *
     * @param at the number of the segment
     * @param usedBytes how much of it is used; 0 for a segment ahead of the tail, which tells nothing
     * @param limit how large it is
     * @param syncsNow how many syncs there were since the log was created
     */
    synchronized void look(int at, long usedBytes, long limit, long syncsNow) {
        if (usedBytes == 0) {
            return;
        }
        if (!begun) {
            begin(at, usedBytes, limit, syncsNow);
            return;
        }
        long appended = at == number ? usedBytes - used : rest + (at - number - 1) * limit + usedBytes;
        long between = syncsNow - syncs;
        if (appended >= TOLD_BYTES || between >= TOLD_SYNCS) {
            piece = between > 0 ? piece(appended / between) : LARGEST_BYTES;
            begin(at, usedBytes, limit, syncsNow);
        }
    }

    private void begin(int at, long usedBytes, long limit, long syncsNow) {
        begun = true;
        number = at;
        used = usedBytes;
        rest = limit - usedBytes;
        syncs = syncsNow;
    }
}
