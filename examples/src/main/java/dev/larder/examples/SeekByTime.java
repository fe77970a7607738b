package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.queue.TypedAppender;
import dev.larder.queue.TypedTailer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the messages since a moment. The queue knows a time for each MiB and skips no wanted message; the messages' own times
 * do the rest. By its number a message is found exactly.
 */
public final class SeekByTime {

    record Reading(Instant at, int value) {}

    private static final int READINGS = 200_000;

    private SeekByTime() {}

    public static void main(String[] arguments) {
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            Codec<Reading> codec = Codec.records(Reading.class);
            List<Reading> written = write(queue, codec);
            Instant since = written.get(READINGS / 2).at();

            Tailer place = queue.tailer().toTime(since); // up to 1 MiB of earlier messages comes first
            long skipped = place.sequence();
            List<Reading> found = new ArrayList<>();
            TypedTailer<Reading> tailer = queue.typed(place, codec);
            tailer.drain(reading -> keep(reading, since, found), READINGS);

            List<Reading> expected = written.stream()
                    .filter(reading -> !reading.at().isBefore(since))
                    .toList();
            System.out.println("since " + since + ": " + found.size() + " readings; went over " + skipped);
            check(found.equals(expected) && skipped > 0, "found " + found.size() + ", went over " + skipped);

            Reading exact =
                    queue.typed(queue.tailer().toSequence(1234), codec).next().orElseThrow();
            check(exact.equals(written.get(1234)), "the reading 1234 is " + exact);
        }
    }

    private static void keep(Reading reading, Instant since, List<Reading> found) {
        if (!reading.at().isBefore(since)) {
            found.add(reading);
        }
    }

    private static List<Reading> write(LarderQueue queue, Codec<Reading> codec) {
        List<Reading> written = new ArrayList<>();
        try (TypedAppender<Reading> appender = queue.appender(codec)) {
            for (int value = 0; value < READINGS; value++) {
                Reading reading = new Reading(Instant.now(), value);
                appender.append(reading);
                written.add(reading);
            }
        }
        return written;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
