package dev.larder.array.ratis;

import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;

/**
 * The threads of Ratis that handled the elections of members which were listeners until now.
 *
 * <p>Ratis 3.3.0 may deadlock as an added member becomes a voter. It has the member's lock, and waits for the end of this thread,
 * which may be waiting for that lock. The member would stay behind for ever. The thread was asked to stop, and does nothing more
 * once it has the lock. So this class reports the end in the thread's place.
 */
final class FormerListeners {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String ELECTIONS = "org.apache.ratis.server.impl.FollowerState";
    private static final String RUNS = "isRunning";
    private static final String ENDED = "stopped";

    /** The room for threads that begin while they are counted. */
    private static final int MORE = 16;

    private final ThreadGroup threads;

    FormerListeners(ThreadGroup threads) {
        this.threads = threads;
    }

    /** Lets each member continue that waits for such a thread. Takes no lock of Ratis. To be called several times a second. */
    void look() {
        Thread[] all = new Thread[threads.activeCount() + MORE];
        int count = threads.enumerate(all);
        for (int i = 0; i < count; i++) {
            Thread thread = all[i];
            if (thread.getClass().getName().equals(ELECTIONS) && thread.getState() == Thread.State.BLOCKED) {
                release(thread);
            }
        }
    }

    private static void release(Thread thread) {
        try {
            boolean runs = field(thread, RUNS).getBoolean(thread);
            if (!runs && field(thread, ENDED).get(thread) instanceof CompletableFuture<?> end && end.complete(null)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        thread.getName()
                                + " waits for its member's lock while it stops; the member stops without waiting for"
                                + " it");
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Ratis is not supported: " + e, e);
        }
    }

    private static Field field(Thread thread, String name) throws NoSuchFieldException {
        Field field = thread.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
