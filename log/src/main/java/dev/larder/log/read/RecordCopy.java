package dev.larder.log.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A copy of one record at a time, for readers without a pin: the bytes in the file may be replaced while they use them. */
public final class RecordCopy {

    private byte[] bytes = new byte[4096];
    private MemorySegment view = MemorySegment.ofArray(bytes).asReadOnly();

    /** Copies a payload; the copy is valid until the next call. */
    public MemorySegment of(MemorySegment source, long offset, int length) {
        if (length > bytes.length) {
            bytes = new byte[Math.max(length, (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8))];
            view = MemorySegment.ofArray(bytes).asReadOnly();
        }
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return view;
    }
}
