package dev.larder.map.checkpoint;

import dev.larder.log.random.LogRecords;
import java.util.function.LongSupplier;

/**
 * Decides whether the log has grown so far since the last image of the index, written by any process, that another is due. The
 * present image is read only if another one seems due by what was known of it.
 */
public final class CheckpointNeed {

    /** The bytes of log for each byte of image: an image is a 16th of the bytes written to the log, or less. */
    private static final long LOG_FOR_IMAGE = 16;

    private final LogRecords records;
    private final LongSupplier replay;
    private final LongSupplier imageBytes;
    private final long logBytes;
    private long known;

    /**
     * Creates the need of a map.
     *
     * @param replay the position from which the log would be read after a crash, according to the last image; 0 if there is
     *     none
     * @param imageBytes the size of an image made now
     * @param logBytes the least growth of the log from one image to the next
     */
    public CheckpointNeed(LogRecords records, LongSupplier replay, LongSupplier imageBytes, long logBytes) {
        this.records = records;
        this.replay = replay;
        this.imageBytes = imageBytes;
        this.logBytes = logBytes;
    }

    boolean isDue() {
        if (!isFar()) {
            return false;
        }
        known = replay.getAsLong();
        return isFar();
    }

    private boolean isFar() {
        long gone = records.bytesFrom(known);
        return gone >= logBytes && gone >= LOG_FOR_IMAGE * imageBytes.getAsLong();
    }
}
