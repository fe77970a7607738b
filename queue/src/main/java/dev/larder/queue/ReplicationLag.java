package dev.larder.queue;

import dev.larder.queue.connection.SourceProgress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lag of a copy behind its source. Thread-safe.
 *
 * <p>Now and then the source sends a progress word: how many messages it has, and the time by its clock. Once the copy has as
 * many messages, its age counts from that time. The two clocks need not agree; the word that arrived fastest shows their
 * difference.
 *
 * <pre>
 * words of the source, by time       12:00:00 80    12:00:01 90    12:00:02 95
 * the copy has 92                                   its age counts from here
 * </pre>
 */
final class ReplicationLag {

    private static final int MOST_WORDS = 1024;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final LongSupplier clockMillis;
    private final Deque<SourceProgress> words = new ArrayDeque<>();
    private @Nullable SourceProgress last;
    private long heard;
    private long stride = 1;
    private long next;
    private long passedBytes;
    private long wholeMillis = UNKNOWN;
    private long clockLead = UNKNOWN;

    ReplicationLag(LongSupplier clockMillis) {
        this.clockMillis = clockMillis;
    }

    /** Takes a progress word of the source, in its order among the messages. */
    synchronized void source(SourceProgress word) {
        clockLead = Math.max(clockLead, word.timeMillis() - clockMillis.getAsLong());
        last = word;
        next = word.next();
        passedBytes = 0;
        keep(word);
        pass();
    }

    /** Keeps every word, then every second, every fourth and so on: after a lag of hours, seconds do not matter. */
    private void keep(SourceProgress word) {
        if (words.isEmpty()) {
            stride = 1;
            heard = 0;
        }
        if (words.size() >= MOST_WORDS) {
            stride *= 2;
            int[] index = {0};
            words.removeIf(old -> index[0]++ % 2 == 1);
        }
        if (heard++ % stride == 0) {
            words.add(word);
        }
    }

    /** Counts a message that the copy has now. */
    synchronized void message(long bytes) {
        next++;
        passedBytes += bytes;
        pass();
    }

    private void pass() {
        while (!words.isEmpty() && words.getFirst().end() <= next) {
            wholeMillis = words.removeFirst().timeMillis();
        }
        if (last != null && last.end() <= next) {
            wholeMillis = last.timeMillis();
        }
    }

    synchronized OptionalLong messages() {
        return last == null ? OptionalLong.empty() : OptionalLong.of(Math.max(0, last.end() - next));
    }

    synchronized OptionalLong bytes() {
        if (last == null) {
            return OptionalLong.empty();
        }
        boolean whole = next >= last.end();
        return OptionalLong.of(whole ? 0 : Math.max(0, last.bytesBehind() - passedBytes));
    }

    /**
     * Returns the age of the copy. It is not quite zero even if the copy is complete: the source may have more since its last
     * word.
     */
    synchronized Optional<Duration> time() {
        if (wholeMillis == UNKNOWN) {
            return Optional.empty();
        }
        long sourceNow = clockMillis.getAsLong() + clockLead;
        return Optional.of(Duration.ofMillis(Math.max(0, sourceNow - wholeMillis)));
    }
}
