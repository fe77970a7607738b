package dev.larder.array.ratis;

import java.lang.reflect.Field;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * Ends the thread with which a log of Ratis drops entries from the heap.
 *
 * <p>Ratis 3.3.0 may deadlock as it closes a log: it takes the log's lock and waits for the end of this thread, which may be
 * waiting for that lock. So this class ends the thread before, without the lock.
 */
final class LogEviction {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String FIELD = "cacheEviction";

    private LogEviction() {}

    /** Ends the thread, and waits for its end. The log must be closed next. */
    static void end(RaftLog log) {
        try {
            Field field = log.getClass().getDeclaredField(FIELD);
            field.setAccessible(true);
            if (field.get(log) instanceof AutoCloseable eviction) {
                eviction.close();
            }
        } catch (Exception e) { // the log is closed by Ratis alone
            LOGGER.log(System.Logger.Level.WARNING, "cannot stop the cache eviction of " + log + ": " + e, e);
        }
    }
}
