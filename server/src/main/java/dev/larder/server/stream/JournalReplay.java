package dev.larder.server.stream;

import dev.larder.log.LogReader;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongFunction;

/**
 * The replay at a start after a crash: the queues get the journal's messages that they have lost, each once. The identifier of
 * its queue and its sequence there identify a message, so it does not matter how often the replay begins anew.
 *
 * <pre>
 * journal    | window            | window            | ... end
 * threads      note where the messages of each stream lie, one thread
 *              open, append, sync, close: several streams at once
 * </pre>
 *
 * <p>A window bounds the heap. The threads share the time that the disk takes to flush.
 */
final class JournalReplay {

    /** How many queues are open at most. */
    private static final int THREADS = 8;

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final int WINDOW_MESSAGES = 1 << 20;

    private final StreamJournal journal;
    private final LongFunction<StreamQueue> queues;
    private final JournalWindow window;
    private final ThreadFactory threads;

    /** The streams whose queues could not take their messages, and why. */
    private final Map<Long, LarderException> failed = new ConcurrentHashMap<>();

    /**
     * Creates a replay that has not begun.
     *
     * @param queues opens the queue of a stream by its number; several threads call it
     */
    JournalReplay(StreamJournal journal, LongFunction<StreamQueue> queues) {
        this(
                journal,
                queues,
                WINDOW_MESSAGES,
                Thread.ofPlatform().name("larder-replay-", 0).daemon().factory());
    }

    /**
     * Creates a replay that has not begun.
     *
     * @param queues opens the queue of a stream by its number; several threads call it
     * @param windowMessages how many positions of messages it holds
     * @param threads makes threads that help the caller's thread; if it cannot, the caller's thread works alone
     */
    JournalReplay(StreamJournal journal, LongFunction<StreamQueue> queues, int windowMessages, ThreadFactory threads) {
        this.threads = threads;
        this.journal = journal;
        this.queues = queues;
        this.window = new JournalWindow(windowMessages);
    }

    /**
     * Adds all messages, durably, to the queues of the streams that have a name. The other streams will be removed.
     *
     * @return the streams whose queues could not take their messages, and why; the journal then keeps the messages
     */
    Map<Long, LarderException> run(Set<Long> named) {
        long end = journal.end();
        try (LogReader reader = journal.reader();
                ExecutorService helpers = Executors.newFixedThreadPool(THREADS, threads)) {
            boolean more = true;
            while (more) {
                more = note(reader, named);
                bringInAll(helpers);
                window.clear();
            }
        }
        if (failed.isEmpty()) {
            journal.applied(end);
        }
        return failed;
    }

    /** Fills the window; returns false at the end of the journal. */
    private boolean note(LogReader reader, Set<Long> named) {
        StreamJournal.Handler noting = (number, _, _, _, _, _) -> {
            if (named.contains(number) && !failed.containsKey(number)) {
                window.note(number, reader.position());
            }
        };
        while (!window.isFull()) {
            if (!journal.read(reader, noting)) {
                return false;
            }
        }
        return true;
    }

    private void bringInAll(ExecutorService helpers) {
        Queue<Long> waiting = new ConcurrentLinkedQueue<>(window.numbers());
        List<CompletableFuture<Void>> running = new ArrayList<>();
        try {
            for (int i = Math.min(THREADS, waiting.size()); i > 1; i--) {
                running.add(CompletableFuture.runAsync(() -> bringInEach(waiting), helpers));
            }
        } catch (OutOfMemoryError e) { // no more threads can be started
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "only " + (running.size() + 1) + " threads recover the streams: " + e,
                    e);
        }
        bringInEach(waiting);
        try {
            CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void bringInEach(Queue<Long> waiting) {
        try (LogReader reader = journal.reader()) {
            for (Long number = waiting.poll(); number != null; number = waiting.poll()) {
                try {
                    bringIn(number, reader);
                } catch (LarderException e) {
                    LOGGER.log(
                            System.Logger.Level.ERROR,
                            "stream " + number + ": cannot add the journal's entries to its queue: " + e,
                            e);
                    failed.put(number, e);
                }
            }
        }
    }

    private void bringIn(long number, LogReader reader) {
        try (StreamQueue queue = queues.apply(number)) {
            QueueReplay replay = new QueueReplay(number, queue, journal);
            window.forEach(number, position -> replay.bringIn(reader, position));
            replay.end();
        }
    }
}
