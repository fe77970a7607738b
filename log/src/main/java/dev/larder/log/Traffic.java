package dev.larder.log;

import dev.larder.log.LogCounters.Counter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the writers of this process have appended: each counts for itself, so that no append shares a line. */
final class Traffic {

    private final List<Writer> writers = new CopyOnWriteArrayList<>();
    private long closedRecords;
    private long closedBytes;
    private long publishedRecords;
    private long publishedBytes;

    synchronized void add(Writer writer) {
        writers.add(writer);
    }

    synchronized void remove(Writer writer) {
        if (writers.remove(writer)) {
            closedRecords += writer.records();
            closedBytes += writer.bytes();
        }
    }

    /** Returns the open writers. */
    List<Writer> writers() {
        return writers;
    }

    /** Returns the bytes that were claimed so far, words and padding included; changes with every append. */
    synchronized long bytes() {
        return closedBytes + writers.stream().mapToLong(Writer::bytes).sum();
    }

    synchronized void publish(LogCounters counters) {
        long records =
                closedRecords + writers.stream().mapToLong(Writer::records).sum();
        long bytes = bytes();
        counters.add(Counter.APPENDS, records - publishedRecords);
        counters.add(Counter.APPENDED_BYTES, bytes - publishedBytes);
        publishedRecords = records;
        publishedBytes = bytes;
    }
}
