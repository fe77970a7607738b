package dev.larder.server.stream;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The positions of messages in a part of the journal, by stream, and in the order in which they were noted. A chain leads from
 * a message to the next one of its stream, so a message takes 12 bytes.
 */
final class JournalWindow {

    private static final int FIRST_CAPACITY = 1024;
    private static final int NONE = -1;

    /** The places of a stream's first message and of its last. */
    private static final class Chain {

        private final int first;
        private int last;

        private Chain(int place) {
            first = place;
            last = place;
        }
    }

    private final int messagesMax;
    private final Map<Long, Chain> chains = new HashMap<>();
    private long[] positions;
    private int[] next;
    private int count;

    /**
     * Creates an empty window.
     *
     * @param messagesMax how many messages it takes
     */
    JournalWindow(int messagesMax) {
        this.messagesMax = messagesMax;
        this.positions = new long[Math.min(messagesMax, FIRST_CAPACITY)];
        this.next = new int[positions.length];
    }

    boolean isFull() {
        return count == messagesMax;
    }

    /** Records the next message. The window must not be full. */
    void note(long number, long position) {
        if (count == positions.length) {
            int capacity = (int) Math.min(messagesMax, 2L * count);
            positions = Arrays.copyOf(positions, capacity);
            next = Arrays.copyOf(next, capacity);
        }
        positions[count] = position;
        next[count] = NONE;
        Chain chain = chains.get(number);
        if (chain == null) {
            chains.put(number, new Chain(count));
        } else {
            next[chain.last] = count;
            chain.last = count;
        }
        count++;
    }

    /** Returns the streams that have messages here. */
    Set<Long> numbers() {
        return chains.keySet();
    }

    /** Passes on the positions of a stream's messages. Several threads may call this at once. */
    void forEach(long number, LongConsumer action) {
        Chain chain = chains.get(number);
        for (int place = chain == null ? NONE : chain.first; place != NONE; place = next[place]) {
            action.accept(positions[place]);
        }
    }

    /** Forgets all messages. */
    void clear() {
        chains.clear();
        count = 0;
    }
}
