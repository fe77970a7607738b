package dev.larder.server.dump;

import dev.larder.server.stream.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes a dump, part by part, as {@link DumpReader} reads it. */
final class DumpWriter {

    private static final int FIRST_BYTES = 512;

    private ByteBuffer out = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Creates a part of a dump. */
    DumpWriter() {}

    /** Creates a dump of a type. */
    DumpWriter(int type) {
        out.put((byte) type);
    }

    /** Creates a dump of a type, with room for about as many bytes as it will have. */
    DumpWriter(int type, int bytes) {
        room(bytes).put((byte) type);
    }

    /** Returns a buffer with room for this many bytes. */
    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            int capacity = Math.addExact(out.position(), Math.max(bytes, out.position()));
            out = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(out.array(), 0, out.position());
        }
        return out;
    }

    int lengthBytes() {
        return out.position();
    }

    /** Writes a number as a length: 64 bits, without a sign. */
    void number(long number) {
        room(1 + Long.BYTES);
        if (number >= 0 && number < DumpReader.LENGTH_14) {
            out.put((byte) number);
        } else if (number >= 0 && number < 1 << 14) {
            out.put((byte) (DumpReader.LENGTH_14 | number >> 8)).put((byte) number);
        } else if (number >>> Integer.SIZE == 0) {
            out.put((byte) DumpReader.LENGTH_32).putInt(Integer.reverseBytes((int) number));
        } else {
            out.put((byte) DumpReader.LENGTH_64).putLong(Long.reverseBytes(number));
        }
    }

    /** Writes a string that is an integer. */
    void integer(int number) {
        room(1 + Integer.BYTES);
        if (number == (byte) number) {
            out.put((byte) DumpReader.FORM_BYTE).put((byte) number);
        } else if (number == (short) number) {
            out.put((byte) DumpReader.FORM_SHORT).putShort((short) number);
        } else {
            out.put((byte) DumpReader.FORM_INT).putInt(number);
        }
    }

    /** Writes a string. */
    void string(byte[] array, int offset, int length) {
        number(length);
        room(length).put(array, offset, length);
    }

    void string(byte[] bytes) {
        string(bytes, 0, bytes.length);
    }

    /** Writes the contents of another part. */
    void append(DumpWriter part) {
        room(part.out.position()).put(part.out.array(), 0, part.out.position());
    }

    void millis(long millis) {
        room(Long.BYTES).putLong(millis);
    }

    /** Writes an id of 16 bytes. */
    void id(StreamId id) {
        room(2 * Long.BYTES).putLong(Long.reverseBytes(id.millis())).putLong(Long.reverseBytes(id.number()));
    }

    /** Writes an id of two numbers. */
    void idOfNumbers(StreamId id) {
        number(id.millis());
        number(id.number());
    }

    /** Returns the dump, with version and checksum. */
    byte[] end() {
        room(DumpReader.FOOTER_BYTES).putShort((short) DumpReader.VERSION);
        out.putLong(Crc64.of(out.array(), 0, out.position()));
        return Arrays.copyOf(out.array(), out.position());
    }
}
