package dev.larder.lab.heap;

import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.Service;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gets and puts of values, with as much garbage as a service makes that turns bytes into objects and back: each request
 * has an object of 8 KiB, in which the value is read and checked, or made.
 */
public final class HeapService implements Service {

    /** The bytes of garbage that a request makes. */
    public static final int OBJECT_BYTES = 8 << 10;

    /** The status of a get that found nothing. */
    static final int MISSING = 2;

    /** The status of a get that found what was never put under its key, or half of it. */
    static final int WRONG = 3;

    private final ValueStore store;
    private final AtomicLong versions;

    /** Anybody could read it at any time: so the compiler has to make each object. */
    private volatile byte[] last = {};

    /** A service of a store whose values have versions below the first. */
    public HeapService(ValueStore store, long firstVersion) {
        this.store = store;
        this.versions = new AtomicLong(firstVersion);
    }

    @Override
    public int serve(int kind, long key, byte[] payload) {
        byte[] object = new byte[OBJECT_BYTES];
        int status = kind == KeyWorkload.PUT ? put(key, object) : get(key, object);
        last = object;
        return status;
    }

    private int put(long key, byte[] object) {
        Value.write(object, key, versions.getAndIncrement());
        store.put(key, object);
        return SERVED;
    }

    private int get(long key, byte[] object) {
        if (!store.get(key, object)) {
            return MISSING;
        }
        return Value.isWhole(object, key) ? SERVED : WRONG;
    }

    byte[] last() {
        return last;
    }
}
