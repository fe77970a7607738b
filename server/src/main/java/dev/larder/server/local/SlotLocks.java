package dev.larder.server.local;

import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks for the keys' slots, several slots to a lock. A thread that needs several locks takes them in the order of their
 * numbers, so that no two threads wait for each other.
 */
final class SlotLocks {

    private static final int COUNT = 1 << 10;

    private final ReentrantLock[] locks = new ReentrantLock[COUNT];

    SlotLocks() {
        for (int i = 0; i < COUNT; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    ReentrantLock of(Bytes key) {
        return locks[number(key)];
    }

    private static int number(Bytes key) {
        return KeySlot.of(key) & COUNT - 1;
    }

    /** Returns the locks of the keys of a request. */
    static BitSet of(Call call) {
        BitSet needed = new BitSet();
        add(call, needed);
        return needed;
    }

    private static void add(Call call, BitSet needed) {
        Request request = call.request();
        call.command().keys().forEach(request, argument -> needed.set(number(Bytes.of(request, argument))));
    }

    static void add(Bytes key, BitSet needed) {
        needed.set(number(key));
    }

    /** Returns the locks of several requests. A request that writes and names no keys may write to any. */
    static BitSet of(List<Call> calls) {
        BitSet needed = new BitSet();
        for (Call call : calls) {
            add(call, needed);
        }
        return needed;
    }

    static BitSet all() {
        BitSet all = new BitSet();
        all.set(0, COUNT);
        return all;
    }

    void lock(BitSet needed) {
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
            locks[i].lock();
        }
    }

    void unlock(BitSet needed) {
        for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
            locks[i].unlock();
        }
    }
}
