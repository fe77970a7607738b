package dev.larder.log;

import dev.larder.log.LogCounters.Counter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the appenders of this process have appended: each counts for itself, so that no append shares a line. */
final class Traffic {

    private final List<LogAppender> appenders = new CopyOnWriteArrayList<>();
    private long closedRecords;
    private long closedBytes;
    private long publishedRecords;
    private long publishedBytes;

    synchronized void add(LogAppender appender) {
        appenders.add(appender);
    }

    synchronized void remove(LogAppender appender) {
        if (appenders.remove(appender)) {
            closedRecords += appender.records();
            closedBytes += appender.bytes();
        }
    }

    /** Returns the open appenders. */
    List<LogAppender> appenders() {
        return appenders;
    }

    /** Returns the bytes that were claimed so far, words and padding included; changes with every append. */
    synchronized long bytes() {
        return closedBytes + appenders.stream().mapToLong(LogAppender::bytes).sum();
    }

    synchronized void publish(LogCounters counters) {
        long records = closedRecords
                + appenders.stream().mapToLong(LogAppender::records).sum();
        long bytes = bytes();
        counters.add(Counter.APPENDS, records - publishedRecords);
        counters.add(Counter.APPENDED_BYTES, bytes - publishedBytes);
        publishedRecords = records;
        publishedBytes = bytes;
    }
}
