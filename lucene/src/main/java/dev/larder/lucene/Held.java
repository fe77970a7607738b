package dev.larder.lucene;

import java.util.concurrent.atomic.AtomicInteger;

/** Something that its holders share, the first of them its maker; freed by the last who lets go, and never held again. */
abstract class Held {

    /** Nothing, which more may hold than there ever are. */
    static final Held NOTHING = new Held(Integer.MAX_VALUE) {
        @Override
        void free() {}
    };

    private final AtomicInteger holders;

    /** Something that its maker holds. */
    Held() {
        this(1);
    }

    private Held(int holders) {
        this.holders = new AtomicInteger(holders);
    }

    /** Frees it. By the last holder. */
    abstract void free();

    /** Holds it; false where it was freed already. */
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

    /** Lets go. */
    final void release() {
        int left = holders.decrementAndGet();
        assert left >= 0 : "released once more than it was held: " + this;
        if (left == 0) {
            free();
        }
    }

    /** Returns whether one holder alone is left. */
    final boolean isHeldOnce() {
        return holders.get() == 1;
    }
}
