package dev.larder.server.dump;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes a listpack, as {@link ListpackReader} reads it. */
final class ListpackWriter {

    private static final int FIRST_BYTES = 512;
    private static final int COUNT_MAX = 0xFFFF;
    private static final int LENGTH_12 = 1 << 12;
    private static final int LENGTH_6 = 1 << 6;

    private ByteBuffer out =
            ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN).position(ListpackReader.HEADER_BYTES);
    private int count;

    ListpackWriter() {}

    private ByteBuffer room(long bytes) {
        if (out.remaining() < bytes) {
            int capacity = Math.toIntExact(out.position() + Math.max(bytes, out.position()));
            out = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(out.array(), 0, out.position());
        }
        return out;
    }

    int lengthBytes() {
        return out.position();
    }

    /** Changes the first element, which is from 0 to 127 before and after. */
    void setFirst(int value) {
        out.put(ListpackReader.HEADER_BYTES, (byte) value);
    }

    void integer(long value) {
        int from = room(1 + Long.BYTES).position();
        if (value >= 0 && value < ListpackReader.STRING_6) {
            out.put((byte) value);
        } else if (value == (short) value) {
            out.put((byte) ListpackReader.INTEGER_16).putShort((short) value);
        } else {
            out.put((byte) ListpackReader.INTEGER_64).putLong(value);
        }
        end(out.position() - from);
    }

    void string(byte[] bytes) {
        int from = room(1L + Integer.BYTES + bytes.length).position();
        if (bytes.length < LENGTH_6) {
            out.put((byte) (ListpackReader.STRING_6 | bytes.length));
        } else if (bytes.length < LENGTH_12) {
            out.put((byte) (ListpackReader.STRING_12 | bytes.length >> 8)).put((byte) bytes.length);
        } else {
            out.put((byte) ListpackReader.STRING_32).putInt(bytes.length);
        }
        out.put(bytes);
        end(out.position() - from);
    }

    /** Writes the number of an element's bytes behind it. */
    private void end(int bytes) {
        int length = ListpackReader.lengthOfLength(bytes);
        room(length);
        for (int i = length - 1; i >= 0; i--) {
            int mark = i == length - 1 ? 0 : 0x80;
            out.put((byte) (mark | ((bytes >> (7 * i)) & 0x7F)));
        }
        count++;
    }

    /** Returns the listpack. */
    byte[] end() {
        room(1).put((byte) ListpackReader.END);
        out.putInt(0, out.position());
        out.putShort(Integer.BYTES, (short) Math.min(count, COUNT_MAX));
        return Arrays.copyOf(out.array(), out.position());
    }
}
