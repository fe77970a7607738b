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
 * A start behind a crash: the queues get those messages of the journal that they have lost, each one time. A message is known by
 * the identifier of its queue and its sequence there, so it does not matter how often this begins anew.
 *
 * <pre>
 * journal    | window            | window            | ... end
 * threads      note where the messages of each stream lie, one thread
 *              open, append, sync, close: several streams at once
 * </pre>
 *
 * <p>A window bounds the heap, and the threads share the time that the disk takes to flush.
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

    /** Why the queues of some streams could not take what is theirs. */
    private final Map<Long, LarderException> failed = new ConcurrentHashMap<>();

    /**
     * A replay that has not begun.
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
     * A replay that has not begun.
     *
     * @param queues opens the queue of a stream by its number; several threads call it
     * @param windowMessages of how many messages it holds the positions
     * @param threads makes the threads that help the caller's; where it cannot, that one does without
     */
    JournalReplay(StreamJournal journal, LongFunction<StreamQueue> queues, int windowMessages, ThreadFactory threads) {
        this.threads = threads;
        this.journal = journal;
        this.queues = queues;
        this.window = new JournalWindow(windowMessages);
    }

    /**
     * Brings all into the queues of the streams that have a name, durably. The others are going to be removed.
     *
     * @return the streams whose queues could not take what is theirs, and why; the journal keeps it then
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
                    System.Logger.Level.WARNING, "streams come back on " + (running.size() + 1) + " threads: " + e, e);
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
                            "stream " + number + ": its queue cannot take what the journal has of it: " + e,
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
