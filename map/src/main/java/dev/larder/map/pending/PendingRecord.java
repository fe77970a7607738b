package dev.larder.map.pending;

import dev.larder.map.format.PendingLayout;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A pending record in place. Its bytes are valid only during the call that passes it on. */
public final class PendingRecord {

    private final long position;
    private final MemorySegment memory;
    private final long at;

    PendingRecord(long position, MemorySegment memory, long at) {
        this.position = position;
        this.memory = memory;
        this.at = at;
    }

    /** Returns its position. */
    public long position() {
        return position;
    }

    /** Returns the term of its entry. */
    public long term() {
        return PendingLayout.term(memory, at);
    }

    /** Returns the index of its entry. */
    public long index() {
        return PendingLayout.index(memory, at);
    }

    /** Returns how many parts it has. */
    public int count() {
        return PendingLayout.parts(memory, at);
    }

    /** Returns the key of a part, read-only. */
    public MemorySegment key(int part) {
        return slice(keyOffset(part), PendingLayout.keyLength(memory, at, part));
    }

    /** Returns the value of a part, read-only. */
    public MemorySegment value(int part) {
        int from = keyOffset(part) + PendingLayout.keyLength(memory, at, part);
        return slice(from, PendingLayout.valueLength(memory, at, part));
    }

    private int keyOffset(int part) {
        Objects.checkIndex(part, count());
        return PendingLayout.keyOffset(memory, at, part);
    }

    private MemorySegment slice(int from, int bytes) {
        return memory.asSlice(at + from, bytes).asReadOnly();
    }
}
