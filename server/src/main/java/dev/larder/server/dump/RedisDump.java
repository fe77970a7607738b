package dev.larder.server.dump;

import dev.larder.resp.Decimal;
import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import java.nio.ByteBuffer;

/**
 * A string in the form of Redis' {@code DUMP}. Larder writes the version of Redis 7.0, and reads that and older ones.
 *
 * <pre>
 * 0            the type: a string
 * length       1, 2, 5 or 9 bytes, highest first; or a form: an integer of 8, 16 or 32 bits, lowest byte first, or LZF
 * bytes        none where the form holds an integer
 * footer       see DumpReader
 * </pre>
 *
 * Source: "Redis RDB file format", string encoding; the checksum is {@link Crc64}.
 */
public final class RedisDump {

    private static final int TYPE_STRING = 0;
    private static final int INTEGER_MAX_LENGTH = 11;

    private RedisDump() {}

    /** Returns the dump of a string. */
    public static byte[] of(Bytes value) {
        DumpWriter dump = new DumpWriter(TYPE_STRING);
        if (isShortInteger(value)) {
            dump.integer((int) Decimal.value(buffer(value), value.offset(), value.offset() + value.length()));
        } else {
            dump.string(value.array(), value.offset(), value.length());
        }
        return dump.end();
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

    /**
     * Returns the string of a dump.
     *
     * @throws ReplyException if it is of something else than a string, or longer than it may be
     */
    public static Bytes value(DumpReader dump) {
        if (dump.type() != TYPE_STRING) {
            throw DumpReader.bad();
        }
        return dump.string();
    }
}
