package dev.larder.array.ratis;

import java.lang.reflect.Field;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.JavaUtils;

/**
 * Ends the thread with which a log of Ratis drops entries from the heap. Ratis 3.3.0 has two faults here:
 *
 * <ul>
 *   <li>It may deadlock as it closes a log. It takes the log's lock and waits for the end of this thread, which may be waiting
 *       for that lock. So this class ends the thread before, without the lock.
 *   <li>It forgets a log that it cannot open. The thread goes on, and keeps all that was read, and 2 MiB of direct memory. Only
 *       its name leads to it.
 * </ul>
 */
final class LogEviction {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String FIELD = "cacheEviction";

    /** The most that an interrupted thread needs to end. */
    private static final long END_MOST_MILLIS = 1000;

    /** The room for threads that begin while they are counted. */
    private static final int MORE = 16;

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

    /** Ends the threads of all logs of a member that does not run, and waits for their ends. */
    static void endAll(RaftGroupMemberId member) {
        ThreadGroup all = JavaUtils.getRootThreadGroup();
        Thread[] threads = new Thread[all.activeCount() + MORE];
        int count = all.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i].getName().startsWith(member + "-" + FIELD)) {
                end(threads[i]);
            }
        }
    }

    private static void end(Thread thread) {
        thread.interrupt();
        try {
            thread.join(END_MOST_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
