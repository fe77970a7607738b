package dev.larder.lab.heap;

import dev.larder.lab.load.GrowingKeyWorkload;
import dev.larder.lab.load.GrowingKeys;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.Service;

/** A service whose requests name places among all keys that are there, and new keys, as a {@link GrowingKeyWorkload} does. */
final class GrowingService implements Service {

    private final Service service;
    private final GrowingKeys keys;

    GrowingService(Service service, GrowingKeys keys) {
        this.service = service;
        this.keys = keys;
    }

    @Override
    public int serve(int kind, long place, byte[] payload) {
        return place == GrowingKeyWorkload.NEW ? add(payload) : service.serve(kind, keys.at(place), payload);
    }

    /** There is more room than any load should need; where it does not suffice, the answer must say so. */
    private int add(byte[] payload) {
        long key = keys.take();
        if (key == GrowingKeys.NONE) {
            return HeapService.FULL;
        }
        int status = service.serve(KeyWorkload.PUT, key, payload);
        keys.put(key);
        return status;
    }
}
