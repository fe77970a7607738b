package dev.larder.lab.queue;

import dev.larder.lab.run.Records;
import dev.larder.queue.MessageHandler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What is done with each message that is read back. One class for all of it: with several in one JVM the compiler could
 * not inline the handler into the reading loop, which it does where a program has one.
 */
final class BurstHandler implements MessageHandler {

    /** What to do with a message. */
    enum Task {
        SUM,
        COPY_AND_SUM,
        VERIFY
    }

    private final Records messages;
    private final Task task;
    private final MemorySegment copy;
    private long sequence;
    private long sum;

    BurstHandler(Records messages, Task task) {
        this.messages = messages;
        this.task = task;
        this.copy = Arena.ofAuto().allocate(messages.recordBytes(), Long.BYTES);
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        switch (task) {
            case SUM -> sum += Records.sumWords(segment, offset, length);
            case COPY_AND_SUM -> copyAndSum(segment, offset, length);
            case VERIFY -> messages.checkBytes(sequence++, segment, offset, length);
        }
    }

    private void copyAndSum(MemorySegment segment, long offset, int length) {
        MemorySegment.copy(segment, offset, copy, 0, length);
        sum += Records.sumWords(copy, 0, length);
    }

    /** Returns the sum of all words that were summed. */
    long sum() {
        return sum;
    }
}
