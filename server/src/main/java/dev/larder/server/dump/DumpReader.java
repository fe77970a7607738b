package dev.larder.server.dump;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.stream.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The parts of a dump, in their order.
 *
 * <pre>
 * type         1 byte
 * parts        lengths, strings, ids, times
 * version      2 bytes, lowest byte first
 * checksum     CRC-64 of all before, lowest byte first
 * </pre>
 *
 * <p>A part that is not complete is refused with an error of the protocol.
 */
public final class DumpReader {

    /** The version of Redis 7.0, which is the newest that is read. */
    static final int VERSION = 10;

    static final int FOOTER_BYTES = Short.BYTES + Long.BYTES;

    static final int LENGTH_14 = 0x40;
    static final int LENGTH_32 = 0x80;
    static final int LENGTH_64 = 0x81;
    static final int FORM = 0xC0;
    static final int FORM_BYTE = 0xC0;
    static final int FORM_SHORT = 0xC1;
    static final int FORM_INT = 0xC2;
    private static final int FORM_LZF = 0xC3;

    private final ByteBuffer in;
    private final int most;
    private final int type;

    private DumpReader(ByteBuffer in, int most) {
        this.in = in;
        this.most = most;
        this.type = need(1).get() & 0xFF;
    }

    /**
     * Returns the parts of a dump, which stands behind the type.
     *
     * @param most how many bytes a string may have
     * @throws ReplyException if it is damaged, or of a newer Redis
     */
    public static DumpReader open(Bytes dump, int most) {
        int end = dump.offset() + dump.length() - FOOTER_BYTES;
        ByteBuffer in = ByteBuffer.wrap(dump.array()).order(ByteOrder.LITTLE_ENDIAN);
        if (end < dump.offset()
                || (in.getShort(end) & 0xFFFF) > VERSION
                || in.getLong(end + Short.BYTES) != Crc64.of(dump.array(), dump.offset(), end + Short.BYTES)) {
            throw new ReplyException("ERR DUMP payload version or checksum are wrong");
        }
        in.limit(end).position(dump.offset());
        return new DumpReader(in, most);
    }

    /** Returns the error for a dump that is complete but has wrong contents. */
    static ReplyException bad() {
        return new ReplyException("ERR Bad data format");
    }

    int type() {
        return type;
    }

    private ByteBuffer need(long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw bad();
        }
        return in;
    }

    private int first() {
        return need(1).get() & 0xFF;
    }

    /** Returns a number that was written as a length: 64 bits, without a sign. */
    long number() {
        return number(first());
    }

    private long number(int first) {
        return switch (first & FORM) {
            case 0 -> first;
            case LENGTH_14 -> (first & 0x3F) << 8 | first();
            case LENGTH_32 -> longNumber(first);
            default -> throw bad();
        };
    }

    private long longNumber(int first) {
        if (first == LENGTH_32) {
            return Integer.toUnsignedLong(
                    Integer.reverseBytes(need(Integer.BYTES).getInt()));
        }
        if (first != LENGTH_64) {
            throw bad();
        }
        return Long.reverseBytes(need(Long.BYTES).getLong());
    }

    /** Returns how many parts follow, each of at least some bytes. */
    int count(int leastBytes) {
        long count = number();
        if (count < 0 || count > in.remaining() / leastBytes) {
            throw bad();
        }
        return (int) count;
    }

    /** Returns a time, in milliseconds. */
    long millis() {
        return need(Long.BYTES).getLong();
    }

    /** Returns an id of 16 bytes. */
    StreamId id() {
        need(2 * Long.BYTES);
        long millis = Long.reverseBytes(in.getLong());
        return new StreamId(millis, Long.reverseBytes(in.getLong()));
    }

    /** Returns an id of two numbers. */
    StreamId idOfNumbers() {
        long millis = number();
        return new StreamId(millis, number());
    }

    /** Returns a string. */
    Bytes string() {
        int first = first();
        return switch (first) {
            case FORM_BYTE -> integer(need(Byte.BYTES).get());
            case FORM_SHORT -> integer(need(Short.BYTES).getShort());
            case FORM_INT -> integer(need(Integer.BYTES).getInt());
            case FORM_LZF -> compressed();
            default -> plain(first);
        };
    }

    private static Bytes integer(long number) {
        return Bytes.of(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    private Bytes plain(int first) {
        long length = number(first);
        requireRoom(length);
        need(length);
        Bytes bytes = Bytes.of(in.array(), in.arrayOffset() + in.position(), (int) length);
        in.position(in.position() + (int) length);
        return bytes;
    }

    private Bytes compressed() {
        long packed = number();
        long length = number();
        need(packed);
        requireRoom(length);
        if (packed == 0 || length == 0) {
            throw bad();
        }
        byte[] bytes = Lzf.unpack(in, (int) packed, (int) length);
        if (bytes == null) {
            throw bad();
        }
        return Bytes.of(bytes);
    }

    private void requireRoom(long length) {
        if (length < 0) {
            throw bad();
        }
        if (length > most) {
            throw new ReplyException("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
        }
    }
}
