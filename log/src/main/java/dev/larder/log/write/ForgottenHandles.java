package dev.larder.log.write;

import dev.larder.memory.LarderException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Appenders and readers of handles that nobody has closed, and nobody can any more: what they hold, a pin above all, is given
 * back once the handle was collected. By the next caller who gets one, and by the background.
 */
public final class ForgottenHandles {

    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final Set<Part> parts = ConcurrentHashMap.newKeySet();

    /** What a handle stands for, which knows nothing of the handle. */
    private static final class Part extends WeakReference<Object> {

        private final AutoCloseable held;

        Part(Object handle, AutoCloseable held, ReferenceQueue<Object> collected) {
            super(handle, collected);
            this.held = held;
        }
    }

    /** Closes a part when its handle was collected. */
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
            // nobody is left to be told; the log closes it once more
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
