package dev.larder.server.store;

import dev.larder.codec.ValueCodec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@link Bytes} in a map: the same bytes, under the same name, as {@link ValueCodec#bytes} writes. */
final class BytesCodec implements ValueCodec<Bytes> {

    static final BytesCodec INSTANCE = new BytesCodec();

    private BytesCodec() {}

    @Override
    public String name() {
        return ValueCodec.bytes().name();
    }

    @Override
    public int lengthBytes(Bytes value) {
        return value.length();
    }

    @Override
    public void write(Bytes value, MemorySegment segment, long offset, int length) {
        MemorySegment.copy(value.array(), value.offset(), segment, ValueLayout.JAVA_BYTE, offset, length);
    }

    @Override
    public Bytes read(MemorySegment segment, long offset, int length) {
        byte[] array = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, array, 0, length);
        return Bytes.of(array);
    }
}
