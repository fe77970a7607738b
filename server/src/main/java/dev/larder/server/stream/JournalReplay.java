package dev.larder.server.stream;

import dev.larder.log.LogReader;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * A start behind a crash: the queues get those messages of the journal that they have lost, each one time. A message is known by
 * the identifier of its queue and its sequence there, so it does not matter how often this begins anew.
 */
final class JournalReplay {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final StreamJournal journal;
    private final LongFunction<StreamQueue> queues;

    /** The positions of the messages of each stream, in the order of their sequences. */
    private final Map<Long, List<Long>> positions = new HashMap<>();

    /**
     * A replay that has not begun.
     *
     * @param queues opens the queue of a stream by its number
     */
    JournalReplay(StreamJournal journal, LongFunction<StreamQueue> queues) {
        this.journal = journal;
        this.queues = queues;
    }

    /**
     * Brings all into the queues of the streams that have a name, durably. The others are going to be removed.
     *
     * @return the streams whose queues could not take what is theirs, and why; the journal keeps it then
     */
    Map<Long, LarderException> run(Set<Long> named) {
        Map<Long, LarderException> failed = new HashMap<>();
        long end = journal.end();
        try (LogReader reader = journal.reader()) {
            StreamJournal.Handler noting = (number, _, _, _, _, _) -> {
                if (named.contains(number)) {
                    positions.computeIfAbsent(number, _ -> new ArrayList<>()).add(reader.position());
                }
            };
            boolean more = true;
            while (more) {
                more = StreamJournal.read(reader, noting);
            }
            positions.forEach((number, all) -> {
                try {
                    bringIn(number, all, reader);
                } catch (LarderException e) {
                    LOGGER.log(
                            System.Logger.Level.ERROR,
                            "stream " + number + ": its queue cannot take what the journal has of it: " + e,
                            e);
                    failed.put(number, e);
                }
            });
        }
        if (failed.isEmpty()) {
            journal.applied(end);
        }
        return failed;
    }

    private void bringIn(long number, List<Long> all, LogReader reader) {
        try (StreamQueue queue = queues.apply(number)) {
            long[] end = {queue.toEnd()};
            long lost = end[0];
            long[] ofAnother = {0};
            for (long position : all) {
                reader.moveTo(position);
                boolean there = StreamJournal.read(reader, (_, log, sequence, segment, offset, length) -> {
                    if (!log.equals(queue.identity())) {
                        ofAnother[0]++;
                    } else if (sequence == end[0]) {
                        queue.append(segment, offset, length);
                        end[0]++;
                    } else if (sequence > end[0]) { // nobody was told of it: what comes before was never synced
                        LOGGER.log(
                                System.Logger.Level.WARNING,
                                "stream " + number + ": message " + sequence
                                        + " is lost, and was not acknowledged: the queue ends" + " with message "
                                        + (end[0] - 1));
                    }
                });
                if (!there) {
                    throw new IllegalStateException("a record of the journal is gone: " + position);
                }
            }
            queue.sync();
            if (ofAnother[0] > 0) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "stream " + number + ": the journal has " + ofAnother[0]
                                + " messages of another queue that had this number; they are left out");
            }
            if (end[0] > lost) {
                LOGGER.log(
                        System.Logger.Level.INFO,
                        "stream " + number + ": got the messages " + lost + " up to " + end[0] + " back");
            }
        }
    }
}
