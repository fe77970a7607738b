package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.Place;
import java.util.concurrent.atomic.AtomicBoolean;

/** A moment at which a store is kept until its files are read. Thread-safe. */
public final class HeldMoment implements AutoCloseable {

    private final Place place;
    private final long bytesMost;
    private final AtomicBoolean closed = new AtomicBoolean();

    HeldMoment(Place place, long bytesMost) {
        this.place = place;
        this.bytesMost = bytesMost;
    }

    /** Returns the last entry whose effects are all in the files. */
    public Place place() {
        return place;
    }

    long bytesMost() {
        return bytesMost;
    }

    /** Returns whether the files still lead to this moment. */
    public boolean isOpen() {
        return !closed.get();
    }

    /** Lets the store be kept at later moments. */
    @Override
    public void close() {
        closed.set(true);
    }
}
