package dev.larder.map;

import dev.larder.memory.doubles.DelegatingStorage;
import java.util.concurrent.atomic.AtomicLong;

/** The storage of the tests, with a clock that stands still until a test lets time pass. */
final class StoppedClock extends DelegatingStorage {

    private final AtomicLong millis;

    StoppedClock(long millis) {
        super(TestMaps.storage());
        this.millis = new AtomicLong(millis);
    }

    void pass(long passed) {
        millis.addAndGet(passed);
    }

    @Override
    public long currentTimeMillis() {
        return millis.get();
    }
}
