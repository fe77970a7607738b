package dev.larder.log.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A copy of one record at a time, for readers without a pin: what they read may be void by the time they look at it. */
public final class RecordCopy {

    private byte[] bytes = new byte[4096];
    private MemorySegment view = MemorySegment.ofArray(bytes).asReadOnly();

    /** Copies a payload; it is there until the next call. */
    public MemorySegment of(MemorySegment source, long offset, int length) {
        if (length > bytes.length) {
            bytes = new byte[Math.max(length, (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8))];
            view = MemorySegment.ofArray(bytes).asReadOnly();
        }
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return view;
    }
}
