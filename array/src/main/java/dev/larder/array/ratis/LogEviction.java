package dev.larder.array.ratis;

import java.lang.reflect.Field;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * The thread by which a log of Ratis drops entries from the heap.
 *
 * <p>Ratis 3.3.0 may wait for itself as it closes a log: it takes the log's lock and waits for the end of this thread, which may
 * wait for that lock just then. So it is ended before, without the lock.
 */
final class LogEviction {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String FIELD = "cacheEviction";

    private LogEviction() {}

    /** Ends it, and waits for that. The log is to be closed then. */
    static void end(RaftLog log) {
        try {
            Field field = log.getClass().getDeclaredField(FIELD);
            field.setAccessible(true);
            if (field.get(log) instanceof AutoCloseable eviction) {
                eviction.close();
            }
        } catch (Exception e) { // it is closed as by Ratis alone
            LOGGER.log(System.Logger.Level.WARNING, "the eviction of " + log + " is not ended: " + e, e);
        }
    }
}
