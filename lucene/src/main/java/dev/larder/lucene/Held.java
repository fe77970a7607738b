package dev.larder.lucene;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A resource with a count of its holders; its creator is the first. The last holder to let go frees it, and it is never held
 * again.
 */
abstract class Held {

    /** A placeholder that is never freed: its count exceeds any number of holders. */
    static final Held NOTHING = new Held(Integer.MAX_VALUE) {
        @Override
        void free() {}
    };

    private final AtomicInteger holders;

    /** Creates a resource that its creator holds. */
    Held() {
        this(1);
    }

    private Held(int holders) {
        this.holders = new AtomicInteger(holders);
    }

    /** Frees the resource. Called when the last holder lets go. */
    abstract void free();

    /** Adds a holder; false if the resource was already freed. */
    final boolean tryHold() {
        int now = holders.get();
        while (now > 0) {
            if (holders.compareAndSet(now, now + 1)) {
                return true;
            }
            now = holders.get();
        }
        return false;
    }

    /** Removes a holder, and frees the resource after the last one. */
    final void release() {
        int left = holders.decrementAndGet();
        assert left >= 0 : "released once more than it was held: " + this;
        if (left == 0) {
            free();
        }
    }

    /** Returns whether exactly one holder is left. */
    final boolean isHeldOnce() {
        return holders.get() == 1;
    }
}
