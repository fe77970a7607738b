package dev.larder.server.dump;

import dev.larder.resp.Decimal;
import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A string as Redis' {@code DUMP} gives it. Larder writes the version of Redis 7.0, and reads that and older ones.
 *
 * <pre>
 * 0            the type: a string
 * length       1, 2, 5 or 9 bytes, highest first; or a form: an integer of 8, 16 or 32 bits, lowest byte first, or LZF
 * bytes        none where the form holds an integer
 * 0A 00        the version, lowest byte first
 * checksum     CRC-64 of all before, lowest byte first
 * </pre>
 *
 * Source: "Redis RDB file format", string encoding; the checksum is {@link Crc64}.
 */
public final class RedisDump {

    private static final int VERSION = 10;
    private static final int FOOTER_BYTES = Short.BYTES + Long.BYTES;
    private static final int TYPE_STRING = 0;

    private static final int LENGTH_14 = 0x40;
    private static final int LENGTH_32 = 0x80;
    private static final int LENGTH_64 = 0x81;
    private static final int FORM = 0xC0;
    private static final int FORM_BYTE = 0xC0;
    private static final int FORM_SHORT = 0xC1;
    private static final int FORM_INT = 0xC2;
    private static final int FORM_LZF = 0xC3;
    private static final int INTEGER_MAX_LENGTH = 11;

    private RedisDump() {}

    /** Returns the dump of a string. */
    public static byte[] of(Bytes value) {
        ByteBuffer dump = ByteBuffer.allocate(Math.addExact(value.length(), 1 + 5 + FOOTER_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        dump.put((byte) TYPE_STRING);
        if (isShortInteger(value)) {
            putInteger(dump, (int) Decimal.value(buffer(value), value.offset(), value.offset() + value.length()));
        } else {
            putLength(dump, value.length());
            dump.put(value.array(), value.offset(), value.length());
        }
        dump.putShort((short) VERSION);
        dump.putLong(Crc64.of(dump.array(), 0, dump.position()));
        return Arrays.copyOf(dump.array(), dump.position());
    }

    private static ByteBuffer buffer(Bytes value) {
        return ByteBuffer.wrap(value.array());
    }

    private static boolean isShortInteger(Bytes value) {
        int end = value.offset() + value.length();
        if (value.length() > INTEGER_MAX_LENGTH || !Decimal.isInteger(buffer(value), value.offset(), end)) {
            return false;
        }
        long number = Decimal.value(buffer(value), value.offset(), end);
        return number == (int) number;
    }

    private static void putInteger(ByteBuffer dump, int number) {
        if (number == (byte) number) {
            dump.put((byte) FORM_BYTE).put((byte) number);
        } else if (number == (short) number) {
            dump.put((byte) FORM_SHORT).putShort((short) number);
        } else {
            dump.put((byte) FORM_INT).putInt(number);
        }
    }

    private static void putLength(ByteBuffer dump, int length) {
        if (length < LENGTH_14) {
            dump.put((byte) length);
        } else if (length < 1 << 14) {
            dump.put((byte) (LENGTH_14 | length >> 8)).put((byte) length);
        } else {
            dump.put((byte) LENGTH_32).putInt(Integer.reverseBytes(length));
        }
    }

    /**
     * Returns the string of a dump.
     *
     * @throws ReplyException if it is damaged, of a newer Redis, of something else than a string, or longer than {@code most}
     */
    public static Bytes value(Bytes dump, int most) {
        int end = dump.offset() + dump.length() - FOOTER_BYTES;
        ByteBuffer in = buffer(dump).order(ByteOrder.LITTLE_ENDIAN);
        if (end < dump.offset()
                || (in.getShort(end) & 0xFFFF) > VERSION
                || in.getLong(end + Short.BYTES) != Crc64.of(dump.array(), dump.offset(), end + Short.BYTES)) {
            throw new ReplyException("ERR DUMP payload version or checksum are wrong");
        }
        in.limit(end).position(dump.offset());
        if (!in.hasRemaining() || in.get() != TYPE_STRING) {
            throw bad();
        }
        return string(in, most);
    }

    private static ReplyException bad() {
        return new ReplyException("ERR Bad data format");
    }

    private static Bytes string(ByteBuffer in, int most) {
        int first = in.hasRemaining() ? in.get() & 0xFF : FORM | 0x3F;
        return switch (first) {
            case FORM_BYTE -> integer(need(in, Byte.BYTES).get());
            case FORM_SHORT -> integer(need(in, Short.BYTES).getShort());
            case FORM_INT -> integer(need(in, Integer.BYTES).getInt());
            case FORM_LZF -> compressed(in, most);
            default -> plain(first, in, most);
        };
    }

    private static Bytes plain(int first, ByteBuffer in, int most) {
        long length = length(first, in);
        requireRoom(length, most);
        need(in, length);
        return Bytes.of(in.array(), in.arrayOffset() + in.position(), (int) length);
    }

    private static Bytes compressed(ByteBuffer in, int most) {
        long packed = length(need(in, 1).get() & 0xFF, in);
        long length = length(need(in, 1).get() & 0xFF, in);
        need(in, packed);
        requireRoom(length, most);
        if (packed == 0 || length == 0) {
            throw bad();
        }
        byte[] bytes = Lzf.unpack(in, (int) packed, (int) length);
        if (bytes == null) {
            throw bad();
        }
        return Bytes.of(bytes);
    }

    private static void requireRoom(long length, int most) {
        if (length > most) {
            throw new ReplyException("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
        }
    }

    private static ByteBuffer need(ByteBuffer in, long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw bad();
        }
        return in;
    }

    private static Bytes integer(long number) {
        return Bytes.of(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    private static long length(int first, ByteBuffer in) {
        long length = switch (first & FORM) {
            case 0 -> first;
            case LENGTH_14 -> (first & 0x3F) << 8 | (need(in, 1).get() & 0xFF);
            case LENGTH_32 -> longLength(first, in);
            default -> -1;
        };
        if (length < 0) {
            throw bad();
        }
        return length;
    }

    private static long longLength(int first, ByteBuffer in) {
        if (first == LENGTH_32) {
            return Integer.toUnsignedLong(
                    Integer.reverseBytes(need(in, Integer.BYTES).getInt()));
        }
        return first == LENGTH_64 ? Long.reverseBytes(need(in, Long.BYTES).getLong()) : -1;
    }
}
