package dev.larder.log.write;

import dev.larder.log.LogCounter;
import dev.larder.log.shared.CountersFile;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the writers of this process have appended: each counts for itself, so that no append shares a line. */
public final class AppendStatistics {

    private final Set<Writer> writers = ConcurrentHashMap.newKeySet();

    /** The appenders and readers that nobody has closed, and nobody can any more. */
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

    /** Stops all open writers. */
    public void stop() {
        writers.forEach(Writer::stop);
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
