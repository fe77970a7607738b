package dev.larder.server.stream;

import java.lang.foreign.MemorySegment;
import java.util.UUID;

/** What a start does with the messages that the journal has of one stream: its queue gets those that it has lost. */
final class QueueReplay implements StreamJournal.Handler {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final long number;
    private final StreamQueue queue;
    private final long before;
    private long end;
    private long ofAnother;

    QueueReplay(long number, StreamQueue queue) {
        this.number = number;
        this.queue = queue;
        this.before = queue.toEnd();
        this.end = before;
    }

    @Override
    public void onMessage(long stream, UUID log, long sequence, MemorySegment segment, long offset, int length) {
        if (!log.equals(queue.identity())) {
            ofAnother++;
        } else if (sequence == end) {
            queue.append(segment, offset, length);
            end++;
        } else if (sequence > end) { // nobody was told of it: what comes before was never synced
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "stream " + number + ": message " + sequence
                            + " is lost, and was not acknowledged: the queue ends with message " + (end - 1));
        }
    }

    /** Makes durable what the queue has got, and all before it. */
    void end() {
        queue.sync();
        if (ofAnother > 0) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "stream " + number + ": the journal has " + ofAnother
                            + " messages of another queue that had this number; they are left out");
        }
        if (end > before) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "stream " + number + ": got the messages " + before + " up to " + end + " back");
        }
    }
}
