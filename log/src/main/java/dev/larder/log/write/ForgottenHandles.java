package dev.larder.log.write;

import dev.larder.memory.LarderException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Appenders and readers of handles that their callers have not closed, and cannot any more. What they hold, a pin above all,
 * is given back once the handle was collected. The next caller that gets a handle does that, or the background.
 */
public final class ForgottenHandles {

    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();

    /** The appender or reader behind a handle, which does not refer to the handle. */
    private static final class Part extends WeakReference<Object> {

        private final AutoCloseable held;

        Part(Object handle, AutoCloseable held, ReferenceQueue<Object> collected) {
            super(handle, collected);
            this.held = held;
        }
    }

    /** Registers a part, to be closed once its handle was collected. */
    public void watch(Object handle, AutoCloseable held) {
        closeCollected();
        parts.add(new Part(handle, held, collected));
    }

    /** Closes the parts of the handles that were collected since. */
    void closeCollected() {
        Reference<?> next = collected.poll();
        while (next != null) {
            if (next instanceof Part part && parts.remove(part)) {
                close(part.held);
            }
            next = collected.poll();
        }
    }

    private static void close(AutoCloseable held) {
        try {
            held.close();
        } catch (LarderException e) {
            // no caller is left to get the error; the log closes the part once more
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
