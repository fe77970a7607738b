package dev.larder.queue.connection;

import dev.larder.memory.CorruptException;
import dev.larder.memory.TruncatedException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A frame of a stream of messages, in a file or between two hosts; little-endian.
 *
 * <pre>
 *  0      1      4        8          16      20
 *  | kind | zero | length | position | check | payload |      check: CRC-32C of all but itself
 *
 *  'R'  request     payload: "LARDERQ" 0, identity 16     position: from where, 0 the oldest message
 *  'D'  the same, for durable messages only
 *  'F'  follow      payload: "LARDERQ" 0, identity 16, version 4, durable only 4, name of a tailer to keep
 *  'B'  beginning   payload: "LARDERQ" 0, identity 16, largest segment 8, integrity 4
 *  'S'  schema      payload: its text                     position: its number
 *  'M'  message     payload: the message                  position: of the message in its queue
 *  'I'  idle        no payload: no more messages yet; the end, in a file
 *  'P'  progress    payload: time 8, next sequence 8, end sequence 8, bytes behind 8      position: the end of the source
 *  'A'  acknowledge no payload                            position: up to where the copy is durable
 *  'E'  error       payload: the reason of the end            position: 1 if a later try may succeed
 * </pre>
 */
public final class Frame {

    /** The kind of a frame. */
    public enum Kind {
        REQUEST('R'),
        DURABLE_REQUEST('D'),
        FOLLOW_REQUEST('F'),
        BEGINNING('B'),
        SCHEMA('S'),
        MESSAGE('M'),
        IDLE('I'),
        PROGRESS('P'),
        ACKNOWLEDGE('A'),
        ERROR('E');

        private final byte letter;

        Kind(char letter) {
            this.letter = (byte) letter;
        }

        static @Nullable Kind of(byte letter) {
            for (Kind kind : values()) {
                if (kind.letter == letter) {
                    return kind;
                }
            }
            return null;
        }
    }

    private static final byte[] MAGIC = {'L', 'A', 'R', 'D', 'E', 'R', 'Q', 0};

    private static final int HEAD_BYTES = 20;
    private static final int CHECKED_BYTES = 16;
    private static final int PAYLOAD_MAX = (1 << 30) - 16;
    private static final int SMALL_MAX = 1024;

    private final Kind kind;
    private final long position;
    private final byte[] payload;

    /** Makes a frame. */
    public Frame(Kind kind, long position, byte[] payload) {
        this.kind = kind;
        this.position = position;
        this.payload = payload;
    }

    /** Makes a frame without a payload. */
    public Frame(Kind kind, long position) {
        this(kind, position, new byte[0]);
    }

    /** Returns the kind. */
    public Kind kind() {
        return kind;
    }

    /** Returns the position, whose meaning depends on the kind. */
    public long position() {
        return position;
    }

    /** Returns the payload itself, not a copy. */
    public byte[] payload() {
        return payload;
    }

    /** Returns how many bytes of the stream the frame takes. */
    public long bytes() {
        return (long) HEAD_BYTES + payload.length;
    }

    /** Returns the bytes at the start of each payload that names a queue. */
    public static byte[] magic() {
        return MAGIC.clone();
    }

    /** Returns whether the payload begins with {@link #magic}. */
    public boolean hasMagic() {
        return payload.length >= MAGIC.length && Arrays.equals(payload, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Makes a frame whose payload is a text. */
    public static Frame text(Kind kind, long position, String text) {
        return new Frame(kind, position, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the payload as a text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Writes the frame. */
    public void write(OutputStream out) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        head.put(kind.letter).put(new byte[3]).putInt(payload.length).putLong(position);
        head.putInt(check(head.array(), payload));
        out.write(head.array());
        out.write(payload);
    }

    private static int check(byte[] head, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(head, 0, CHECKED_BYTES);
        crc.update(payload, 0, payload.length);
        return (int) crc.getValue();
    }

    /**
     * Reads the next frame; null at the end of the stream.
     *
     * @param source the stream, in error messages
     * @throws CorruptException if the frame fails its check
     * @throws TruncatedException if the stream ends within a frame
     */
    public static @Nullable Frame read(InputStream in, String source) throws IOException {
        return read(in, source, PAYLOAD_MAX);
    }

    private static @Nullable Frame read(InputStream in, String source, int mostBytes) throws IOException {
        byte[] head = in.readNBytes(HEAD_BYTES);
        if (head.length == 0) {
            return null;
        }
        if (head.length < HEAD_BYTES) {
            throw new TruncatedException(source + ": the stream ends within a frame, after " + head.length + " bytes");
        }
        ByteBuffer fields = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        Kind kind = Kind.of(head[0]);
        int length = fields.getInt(4);
        if (kind == null || length < 0 || length > mostBytes) {
            throw new CorruptException(source + ": not a frame: kind " + head[0] + ", " + length + " bytes");
        }
        byte[] payload = in.readNBytes(length);
        if (payload.length < length) {
            throw new TruncatedException(
                    source + ": the stream ends within a frame, after " + payload.length + " of " + length + " bytes");
        }
        if (fields.getInt(CHECKED_BYTES) != check(head, payload)) {
            throw new CorruptException(source + ": a frame of " + length + " bytes for position " + fields.getLong(8)
                    + " fails its check");
        }
        return new Frame(kind, fields.getLong(8), payload);
    }

    /** Reads the next frame, which must exist. */
    public static Frame required(InputStream in, String source) throws IOException {
        return required(in, source, PAYLOAD_MAX);
    }

    /** Reads the next frame, which must exist, from a side that sends only small frames. */
    public static Frame requiredSmall(InputStream in, String source) throws IOException {
        return required(in, source, SMALL_MAX);
    }

    private static Frame required(InputStream in, String source, int mostBytes) throws IOException {
        Frame frame = read(in, source, mostBytes);
        if (frame == null) {
            throw new EOFException(source + ": the other side has ended the stream");
        }
        return frame;
    }
}
