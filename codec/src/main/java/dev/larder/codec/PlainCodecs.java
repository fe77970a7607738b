package dev.larder.codec;

import dev.larder.memory.Utf8;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Codecs whose bytes are one value and nothing else. Any program reads them without a schema. */
final class PlainCodecs {

    static final ValueCodec<String> TEXTS = new Texts();
    static final ValueCodec<byte[]> BYTES = new Bytes("bytes");
    static final ValueCodec<Long> LONGS = new Longs();
    static final ValueCodec<Integer> INTS = new Ints();
    static final ValueCodec<Double> DOUBLES = new Doubles();

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private PlainCodecs() {}

    static ValueCodec<byte[]> bytesOf(String name) {
        return new Bytes(name);
    }

    private static byte[] copy(MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    private static class Texts implements ValueCodec<String> {

        @Override
        public String name() {
            return "text";
        }

        @Override
        public int lengthBytes(String value) {
            return Utf8.lengthBytes(value);
        }

        @Override
        public void write(String value, MemorySegment segment, long offset, int length) {
            Utf8.encode(value, segment, offset);
        }

        @Override
        public String read(MemorySegment segment, long offset, int length) {
            return new String(copy(segment, offset, length), StandardCharsets.UTF_8);
        }

        @Override
        public ValueCodec<String> in(CodecFolder folder, boolean writing) {
            return writing ? new OwnTexts() : this;
        }
    }

    /**
     * A codec of texts for one writing thread. A short text is encoded when its length is requested, and then copied. The JDK's
     * encoder handles a whole text at once if each character takes one byte.
     */
    private static final class OwnTexts extends Texts {

        private static final int SHORT_CHARACTERS = 256;

        private @Nullable String encoded;
        private byte[] bytes = {};

        @Override
        public int lengthBytes(String value) {
            if (value.length() > SHORT_CHARACTERS) {
                return super.lengthBytes(value);
            }
            bytes = value.getBytes(StandardCharsets.UTF_8);
            encoded = value;
            return bytes.length;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // for an equal text that is not the same object, this is only slower
        public void write(String value, MemorySegment segment, long offset, int length) {
            if (value == encoded) {
                MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, bytes.length);
            } else {
                super.write(value, segment, offset, length);
            }
        }
    }

    private record Bytes(String name) implements ValueCodec<byte[]> {

        @Override
        public int lengthBytes(byte[] value) {
            return value.length;
        }

        @Override
        public void write(byte[] value, MemorySegment segment, long offset, int length) {
            MemorySegment.copy(value, 0, segment, ValueLayout.JAVA_BYTE, offset, length);
        }

        @Override
        public byte[] read(MemorySegment segment, long offset, int length) {
            return copy(segment, offset, length);
        }
    }

    /** Values of one length; bytes of another length are another kind of value. */
    private abstract static class Fixed<T> implements ValueCodec<T> {

        private final int bytes;
        private final String kind;

        Fixed(int bytes, String kind) {
            this.bytes = bytes;
            this.kind = kind;
        }

        @Override
        public final String name() {
            return kind;
        }

        @Override
        public final int lengthBytes(T value) {
            return bytes;
        }

        @Override
        public final T read(MemorySegment segment, long offset, int length) {
            if (length != bytes) {
                throw new ValueMismatchException("it has " + length + " bytes, and one " + kind + " has " + bytes);
            }
            return read(segment, offset);
        }

        abstract T read(MemorySegment segment, long offset);
    }

    private static final class Longs extends Fixed<Long> {

        Longs() {
            super(Long.BYTES, "long");
        }

        @Override
        public void write(Long value, MemorySegment segment, long offset, int length) {
            segment.set(LONG, offset, value);
        }

        @Override
        Long read(MemorySegment segment, long offset) {
            return segment.get(LONG, offset);
        }
    }

    private static final class Ints extends Fixed<Integer> {

        Ints() {
            super(Integer.BYTES, "int");
        }

        @Override
        public void write(Integer value, MemorySegment segment, long offset, int length) {
            segment.set(INT, offset, value);
        }

        @Override
        Integer read(MemorySegment segment, long offset) {
            return segment.get(INT, offset);
        }
    }

    private static final class Doubles extends Fixed<Double> {

        Doubles() {
            super(Double.BYTES, "double");
        }

        @Override
        public void write(Double value, MemorySegment segment, long offset, int length) {
            segment.set(DOUBLE, offset, value);
        }

        @Override
        Double read(MemorySegment segment, long offset) {
            return segment.get(DOUBLE, offset);
        }
    }
}
