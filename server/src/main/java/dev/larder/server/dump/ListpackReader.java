package dev.larder.server.dump;

import dev.larder.server.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The elements of a listpack, Redis' compact list, from the first to the last.
 *
 * <pre>
 * 0        4       6
 * | bytes  | count | element | element | ... | FF |
 *
 * element
 * 0vvvvvvv                        an integer from 0 to 127
 * 10llllll                        a string of l bytes
 * 110vvvvv vvvvvvvv               an integer of 13 bits
 * 1110llll llllllll               a string of l bytes
 * F0                              4 bytes of length, and a string
 * F1 F2 F3 F4                     an integer of 2, 3, 4, 8 bytes
 * </pre>
 *
 * <p>The number of an element's bytes follows it: 7 bits a byte, the highest first. Other numbers are little-endian. Source:
 * "Listpack specification".
 */
final class ListpackReader {

    static final int HEADER_BYTES = 6;
    static final int END = 0xFF;
    static final int STRING_6 = 0x80;
    static final int INTEGER_13 = 0xC0;
    static final int STRING_12 = 0xE0;
    static final int STRING_32 = 0xF0;
    static final int INTEGER_16 = 0xF1;
    private static final int BITS_13 = 13;
    private static final int INTEGER_24 = 0xF2;
    private static final int INTEGER_32 = 0xF3;
    static final int INTEGER_64 = 0xF4;

    private final ByteBuffer in;

    /** The last element, if it is an integer; else 0. */
    private long integer;

    /** The last element, if it is a string; else empty. */
    private Bytes string = Bytes.of(new byte[0]);

    private boolean wasString;

    ListpackReader(Bytes listpack) {
        in = ByteBuffer.wrap(listpack.array(), listpack.offset(), listpack.length())
                .order(ByteOrder.LITTLE_ENDIAN);
        if (need(HEADER_BYTES).getInt() != listpack.length()) {
            throw DumpReader.bad();
        }
        in.getShort();
    }

    private ByteBuffer need(long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw DumpReader.bad();
        }
        return in;
    }

    /** Returns whether there are no more elements. */
    boolean isAtEnd() {
        return (need(1).get(in.position()) & 0xFF) == END;
    }

    /** Returns the next element, which is an integer. */
    long integer() {
        next();
        if (wasString) {
            throw DumpReader.bad();
        }
        return integer;
    }

    /** Returns the next element; an integer in its decimal form. */
    Bytes string() {
        next();
        return wasString ? string : Bytes.of(Long.toString(integer).getBytes(StandardCharsets.US_ASCII));
    }

    private void next() {
        int from = in.position();
        int first = need(1).get() & 0xFF;
        wasString = false;
        if (first < STRING_6) {
            integer = first;
        } else if (first < INTEGER_13) {
            take(first & 0x3F);
        } else if (first < STRING_12) {
            int bits = (first & 0x1F) << 8 | (need(1).get() & 0xFF);
            integer = (long) bits << (Long.SIZE - BITS_13) >> (Long.SIZE - BITS_13);
        } else if (first < STRING_32) {
            take((first & 0x0F) << 8 | (need(1).get() & 0xFF));
        } else {
            nextLong(first);
        }
        int bytes = in.position() - from;
        need(lengthOfLength(bytes)).position(in.position() + lengthOfLength(bytes));
    }

    private void nextLong(int first) {
        switch (first) {
            case STRING_32 -> take(Integer.toUnsignedLong(need(Integer.BYTES).getInt()));
            case INTEGER_16 -> integer = need(Short.BYTES).getShort();
            case INTEGER_24 -> {
                int low = need(3).getShort() & 0xFFFF;
                integer = (long) in.get() << Short.SIZE | low;
            }
            case INTEGER_32 -> integer = need(Integer.BYTES).getInt();
            case INTEGER_64 -> integer = need(Long.BYTES).getLong();
            default -> throw DumpReader.bad();
        }
    }

    private void take(long length) {
        need(length);
        string = Bytes.of(in.array(), in.arrayOffset() + in.position(), (int) length);
        in.position(in.position() + (int) length);
        wasString = true;
    }

    /** Returns how many bytes the number behind an element takes. */
    static int lengthOfLength(int bytes) {
        if (bytes < 1 << 7) {
            return 1;
        }
        if (bytes < (1 << 14) - 1) {
            return 2;
        }
        if (bytes < (1 << 21) - 1) {
            return 3;
        }
        return bytes < (1 << 28) - 1 ? 4 : 5;
    }
}
