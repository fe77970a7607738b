package dev.larder.server.stream;

import dev.larder.resp.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The fields and values of an entry to add, in turn: field, value, field, value. */
public interface Fields {

    /** Returns how many there are, fields and values together. */
    int count();

    /** Returns the length of a field or value, in bytes. */
    int lengthBytes(int index);

    /** Copies the bytes of a field or value to a segment. */
    void copy(int index, MemorySegment target, long offset);

    /** Returns the arguments of a request from an index on. They are read when the entry is written. */
    static Fields of(Request request, int first) {
        return new Fields() {
            @Override
            public int count() {
                return request.count() - first;
            }

            @Override
            public int lengthBytes(int index) {
                return request.length(first + index);
            }

            @Override
            public void copy(int index, MemorySegment target, long offset) {
                int from = request.buffer().arrayOffset() + request.offset(first + index);
                MemorySegment.copy(
                        request.buffer().array(),
                        from,
                        target,
                        ValueLayout.JAVA_BYTE,
                        offset,
                        request.length(first + index));
            }
        };
    }
}
