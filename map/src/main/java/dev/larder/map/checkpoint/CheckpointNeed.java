package dev.larder.map.checkpoint;

import dev.larder.log.random.LogRecords;
import java.util.function.LongSupplier;

/**
 * Whether the log has gone so far since the last image of the index, by whichever process that was written, that another is
 * due. The image is asked only when it seems so from what was known of it before.
 */
public final class CheckpointNeed {

    /** An image is a 16th of what is written to the log, or less. */
    private static final long LOG_FOR_IMAGE = 16;

    private final LogRecords records;
    private final LongSupplier replay;
    private final LongSupplier imageBytes;
    private final long logBytes;
    private long known;

    /**
     * A need.
     *
     * @param replay from where the log would be read after a crash, as the last image says; 0 where there is none
     * @param imageBytes how large an image would be now
     * @param logBytes how far the log goes from one image to the next, at least
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
