package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.Place;
import java.util.concurrent.atomic.AtomicBoolean;

/** A moment at which a store is kept until its files are read. Thread-safe. */
public final class HeldMoment implements AutoCloseable {

    private final Place place;
    private final long bytesMost;
    private final long entriesMost;
    private final AtomicBoolean closed = new AtomicBoolean();

    HeldMoment(Place place, long bytesMost, long entriesMost) {
        this.place = place;
        this.bytesMost = bytesMost;
        this.entriesMost = entriesMost;
    }

    /** Returns the last entry whose effects are all in the files. */
    public Place place() {
        return place;
    }

    /** Returns whether it may be held while so many entries are applied. */
    boolean allows(long bytes, long entries) {
        return bytes <= bytesMost && entries <= entriesMost;
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
