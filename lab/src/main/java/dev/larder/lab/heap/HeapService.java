package dev.larder.lab.heap;

import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.Service;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gets and puts of values, with the garbage of a service that turns bytes into objects and back. Each request has an
 * object of 8 KiB, in which it reads and checks the value, or creates it.
 */
public final class HeapService implements Service {

    /** The bytes of garbage per request. */
    public static final int OBJECT_BYTES = 8 << 10;

    /** The status of a get that found nothing. */
    static final int MISSING = 2;

    /** The status of a get that found a value never put under its key, or half of one. */
    static final int WRONG = 3;

    private final ValueStore store;
    private final AtomicLong versions;

    /** Volatile, so that the compiler cannot elide the objects. */
    private volatile byte[] last = {};

    /** A service of a store; versions of puts start at the first one. */
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
