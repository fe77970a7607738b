package dev.larder.array.node;

import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeySlot;

/** The slot of commands: all keys of a command must have the same slot. */
final class RequestSlots {

    /** Stands for commands without keys. */
    static final int NONE = -1;

    private int slot = NONE;

    /** Returns the slot of a command's keys; {@link #NONE} if it has no keys. */
    static int of(Call call) {
        RequestSlots slots = new RequestSlots();
        slots.add(call);
        return slots.slot;
    }

    /** Returns the slot of all keys that were added. */
    int slot() {
        return slot;
    }

    /**
     * Adds the keys of a command.
     *
     * @throws ReplyException if a key has another slot
     */
    void add(Call call) {
        call.command().keys().forEach(call.request(), argument -> add(Bytes.of(call.request(), argument)));
    }

    /** Adds a key. */
    void add(Bytes key) {
        int other = KeySlot.of(key);
        if (slot != NONE && slot != other) {
            throw new ReplyException("CROSSSLOT Keys in request don't hash to the same slot");
        }
        slot = other;
    }
}
