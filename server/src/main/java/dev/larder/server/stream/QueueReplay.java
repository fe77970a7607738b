package dev.larder.server.stream;

import dev.larder.log.LogReader;
import dev.larder.log.Position;
import dev.larder.memory.CorruptException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The replay of one stream at a start: its queue gets those messages of the journal that it has lost. */
final class QueueReplay {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** Messages that the queue does not get: how many, and the first and the last of them. */
    private static final class LeftOut {

        private long count;
        private long firstSequence;
        private long firstPosition;
        private long lastSequence;
        private long lastPosition;

        void note(long sequence, long position) {
            if (count == 0) {
                firstSequence = sequence;
                firstPosition = position;
            }
            lastSequence = sequence;
            lastPosition = position;
            count++;
        }

        @Override
        public String toString() {
            return count + (count == 1 ? " message, " : " messages, from ") + firstSequence + " at "
                    + Position.toString(firstPosition)
                    + (count == 1 ? "" : " to " + lastSequence + " at " + Position.toString(lastPosition));
        }
    }

    private final long number;
    private final StreamQueue queue;
    private final StreamJournal journal;
    private final long before;
    private long end;

    /** Messages of another queue that had the number before. */
    private final LeftOut ofAnother = new LeftOut();

    private UUID another;

    /** Messages behind a gap. */
    private final LeftOut behindGap = new LeftOut();

    QueueReplay(long number, StreamQueue queue, StreamJournal journal) {
        this.journal = journal;
        this.number = number;
        this.queue = queue;
        this.before = queue.toEnd();
        this.end = before;
        this.another = queue.identity();
    }

    /** Reads the message at a position of the journal, and adds it to the queue if the queue has lost it. */
    void bringIn(LogReader reader, long position) {
        reader.moveTo(position);
        boolean there = journal.read(reader, (_, log, sequence, segment, offset, length) -> {
            if (!log.equals(queue.identity())) {
                another = log;
                ofAnother.note(sequence, position);
            } else if (sequence == end) {
                append(position, segment, offset, length);
            } else if (sequence > end) { // never acknowledged: what comes before was never synced
                behindGap.note(sequence, position);
            }
        });
        if (!there) {
            throw new CorruptException(
                    "stream " + number + ": the journal's record at " + Position.toString(position) + " is gone");
        }
    }

    private void append(long position, MemorySegment segment, long offset, int length) {
        if (!EntryFrame.isEntry(segment, offset, length)) {
            throw new CorruptException("stream " + number + ": the journal's record at " + Position.toString(position)
                    + " holds no entry: message " + end + " of " + length + " bytes");
        }
        queue.append(segment, offset, length);
        end++;
    }

    /** Makes the queue's new messages durable, and all before them. */
    void end() {
        queue.sync();
        warnings().forEach(text -> LOGGER.log(System.Logger.Level.WARNING, text));
        if (end > before) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "stream " + number + ": recovered the messages " + before + " up to " + end + " from the journal");
        }
    }

    /** Returns the warnings about messages that the queue does not get. */
    List<String> warnings() {
        List<String> texts = new ArrayList<>();
        if (ofAnother.count > 0) {
            texts.add("stream " + number + ": the server ignores the journal's entries of another queue: " + ofAnother
                    + ". They are of queue " + another + ", and the folder holds queue " + queue.identity()
                    + ". A removed stream had the number before, or the folder was replaced");
        }
        if (behindGap.count > 0) {
            texts.add("stream " + number + ": the queue ends before message " + end
                    + ". The journal's later messages are lost; no client got their acknowledgement: " + behindGap);
        }
        return texts;
    }
}
