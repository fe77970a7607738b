package dev.larder.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The options of a {@link QueueConsumer}.
 *
 * @param commitMessages the most messages that the consumer handles between two commits, 1 to 1,000,000. With 1 it commits
 *     after each message. With more it also commits when there is no further message
 * @param retries how often the consumer hands one message to the handler again after the handler threw, 0 to 1,000,000.
 *     With 0 the first error stops the consumer
 * @param retryPause how long the consumer waits before it tries again, 0 to 1 day
 * @param threads the factory of the consumer's thread
 */
public record ConsumerOptions(int commitMessages, int retries, Duration retryPause, ThreadFactory threads) {

    private static final int COUNT_MAX = 1_000_000;
    private static final Duration PAUSE_MAX = Duration.ofDays(1);

    private static final ConsumerOptions DEFAULTS = new ConsumerOptions(
            1, 0, Duration.ZERO, Thread.ofVirtual().name("larder-consumer-", 0).factory());

    /** Makes options; each must be in its range. */
    public ConsumerOptions {
        Objects.requireNonNull(retryPause, "retryPause");
        Objects.requireNonNull(threads, "threads");
        if (commitMessages < 1 || commitMessages > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "a commit after " + commitMessages + " messages is not between 1 and " + COUNT_MAX);
        }
        if (retries < 0 || retries > COUNT_MAX) {
            throw new IllegalArgumentException(retries + " retries are not between 0 and " + COUNT_MAX);
        }
        if (retryPause.isNegative() || retryPause.compareTo(PAUSE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "a pause of " + retryPause + " before a retry is not between 0 and 1 day");
        }
    }

    /** Returns the defaults: a commit after each message, no retry, a virtual thread. */
    public static ConsumerOptions defaults() {
        return DEFAULTS;
    }

    /** Returns options with a commit after a number of messages. */
    public ConsumerOptions withCommitMessages(int messages) {
        return new ConsumerOptions(messages, retries, retryPause, threads);
    }

    /** Returns options with a number of retries of one message, and a pause before each. */
    public ConsumerOptions withRetries(int limit, Duration pause) {
        return new ConsumerOptions(commitMessages, limit, pause, threads);
    }

    /** Returns options with another thread factory, for example {@code Thread.ofPlatform().daemon().factory()}. */
    public ConsumerOptions withThreads(ThreadFactory factory) {
        return new ConsumerOptions(commitMessages, retries, retryPause, factory);
    }
}
