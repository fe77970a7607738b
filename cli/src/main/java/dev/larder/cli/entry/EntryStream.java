package dev.larder.cli.entry;

import dev.larder.memory.CorruptException;
import dev.larder.memory.TruncatedException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Entries of a map as a stream of bytes; little-endian.
 *
 * <pre>
 * 0          8
 * | LARDERM 0 | frame | frame | ... | end |
 *
 * 0      1      4            8              12      16
 * | kind | zero | key length | value length | check | key | value |      check: CRC-32C of all but itself
 *
 *  'T'  types      the key codec's name            value: the value codec's name
 *  'S'  schema     key: its number, 4 bytes        value: its text
 *  'E'  entry
 *  'X'  entry that expires                         value: expiry, milliseconds since 1970, 8 bytes; then the value
 *  'Z'  the end    no key                          value: number of entries, 8 bytes
 * </pre>
 */
public final class EntryStream {

    public static final byte TYPES = 'T';
    public static final byte SCHEMA = 'S';
    public static final byte ENTRY = 'E';
    public static final byte EXPIRING = 'X';
    public static final byte END = 'Z';

    private static final byte[] MAGIC = {'L', 'A', 'R', 'D', 'E', 'R', 'M', 0};
    private static final int HEAD_BYTES = 16;
    private static final int CHECKED_BYTES = 12;
    private static final int LENGTH_MAX = 1 << 30;

    private EntryStream() {}

    /** One piece of the stream. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(byte kind, byte[] key, byte[] value) {

        /** Returns how many bytes of the stream the frame takes. */
        public long bytes() {
            return (long) HEAD_BYTES + key.length + value.length;
        }

        /** Returns when the entry of an EXPIRING frame expires. */
        public Instant expiry() {
            return Instant.ofEpochMilli(
                    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong());
        }

        /** Returns the value of the entry of an EXPIRING frame. */
        public byte[] expiringValue() {
            return Arrays.copyOfRange(value, Long.BYTES, value.length);
        }
    }

    public static void begin(OutputStream out) throws IOException {
        out.write(MAGIC);
    }

    public static void write(OutputStream out, byte kind, byte[] key, byte[] value) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        head.put(0, kind).putInt(4, key.length).putInt(8, value.length);
        head.putInt(CHECKED_BYTES, check(head.array(), key, value));
        out.write(head.array());
        out.write(key);
        out.write(value);
    }

    private static int check(byte[] head, byte[] key, byte[] value) {
        CRC32C crc = new CRC32C();
        crc.update(head, 0, CHECKED_BYTES);
        crc.update(key);
        crc.update(value);
        return (int) crc.getValue();
    }

    /** Writes an entry, with the time when it expires if it does. */
    public static void writeEntry(OutputStream out, byte[] key, byte[] value, Optional<Instant> expiry)
            throws IOException {
        if (expiry.isEmpty()) {
            write(out, ENTRY, key, value);
        } else {
            ByteBuffer timed = ByteBuffer.allocate(Long.BYTES + value.length).order(ByteOrder.LITTLE_ENDIAN);
            timed.putLong(expiry.get().toEpochMilli()).put(value);
            write(out, EXPIRING, key, timed.array());
        }
    }

    /** Reads the beginning of a stream, and checks it; returns how many bytes it takes. */
    public static long requireBegin(InputStream in, String name) throws IOException {
        byte[] magic = in.readNBytes(MAGIC.length);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new CorruptException(
                    name + ": begins with " + Arrays.toString(magic) + ", so it is not an export of a map");
        }
        return MAGIC.length;
    }

    /** Throws if a byte follows the end. {@code at} is the position after the end, for the error. */
    public static void requireEnd(InputStream in, String name, long at) throws IOException {
        if (in.read() >= 0) {
            throw new CorruptException(name + ": more bytes follow the end mark, at byte " + at
                    + "; the entries before it are put. Import each export by itself");
        }
    }

    /** Reads the next frame. {@code at} is the number of frames before it, for the error. */
    public static Frame read(InputStream in, String name, long at) throws IOException {
        DataInputStream data = new DataInputStream(in);
        byte[] bytes = new byte[HEAD_BYTES];
        try {
            data.readFully(bytes);
            ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            byte[] key = bytes(data, head.getInt(4), name, at);
            byte[] value = bytes(data, head.getInt(8), name, at);
            boolean whole = bytes[0] != EXPIRING || value.length >= Long.BYTES;
            if (!whole || head.getInt(CHECKED_BYTES) != check(bytes, key, value)) {
                throw damaged(name, at);
            }
            return new Frame(bytes[0], key, value);
        } catch (EOFException e) {
            throw new TruncatedException(name + ": ends after " + at + " frames, before its end", e);
        }
    }

    private static byte[] bytes(DataInputStream in, int length, String name, long at) throws IOException {
        if (length < 0 || length > LENGTH_MAX) {
            throw damaged(name, at);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return bytes;
    }

    private static CorruptException damaged(String name, long at) {
        return new CorruptException(name + ": frame " + at + " fails its check");
    }
}
