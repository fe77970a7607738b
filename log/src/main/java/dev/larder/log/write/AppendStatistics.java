package dev.larder.log.write;

import dev.larder.log.LogCounter;
import dev.larder.log.shared.CountersFile;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what the writers of this process have appended. Each writer counts for itself, so no append shares a cache line. */
public final class AppendStatistics {

    private final Set<Writer> writers = ConcurrentHashMap.newKeySet();

    /** The appenders and readers whose callers have not closed them, and cannot any more. */
    public final ForgottenHandles forgotten = new ForgottenHandles();

    private long closedRecords;
    private long closedBytes;
    private long publishedRecords;
    private long publishedBytes;

    public synchronized void add(Writer writer) {
        writers.add(writer);
    }

    public synchronized void remove(Writer writer) {
        if (writers.remove(writer)) {
            closedRecords += writer.records();
            closedBytes += writer.bytes();
        }
    }

    /** Returns the open writers. */
    public Set<Writer> writers() {
        return writers;
    }

    /** Stops all open writers. Links no lambda: this runs after an error, when memory may be short. */
    public void stop() {
        for (Writer writer : writers) {
            writer.stop();
        }
    }

    /** Returns the bytes that were claimed so far, words and padding included; changes with every append. */
    public synchronized long bytes() {
        return closedBytes + writers.stream().mapToLong(Writer::bytes).sum();
    }

    public synchronized void publish(CountersFile counters) {
        forgotten.closeCollected();
        long records =
                closedRecords + writers.stream().mapToLong(Writer::records).sum();
        long bytes = bytes();
        counters.add(LogCounter.APPENDS, records - publishedRecords);
        counters.add(LogCounter.APPENDED_BYTES, bytes - publishedBytes);
        publishedRecords = records;
        publishedBytes = bytes;
    }
}
