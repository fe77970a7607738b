package dev.larder.resp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one request, in place in the buffer of the session. The first is the name of the command. One object serves
 * a session: {@link RequestParser#parse} fills it anew, and it is valid until the buffer changes. The arguments of an inline
 * request lie in a buffer of this object. Used by one thread.
 *
 * <pre>
 * buffer    *2\r\n  $3\r\n  G E T  \r\n  $1\r\n  k  \r\n
 *                           ^offset(0)           ^offset(1)
 *                           length(0) = 3        length(1) = 1
 * </pre>
 */
public final class Request {

    private static final int ROOM_MIN = 8;

    /** The largest room that a request keeps: arguments, or bytes of its own buffer. */
    private static final int ROOM_KEPT = 1024;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int[] offsets = new int[ROOM_MIN];
    private int[] lengths = new int[ROOM_MIN];
    private int count;

    /** The buffer into which the arguments of an inline request are unpacked. */
    private ByteBuffer own = ByteBuffer.allocate(0);

    /** Creates a request without arguments. */
    public Request() {}

    /** Returns a request of some arguments, the name of the command first. */
    public static Request of(List<byte[]> arguments) {
        int bytes = 0;
        for (byte[] argument : arguments) {
            bytes = Math.addExact(bytes, argument.length);
        }
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        Request request = new Request();
        for (byte[] argument : arguments) {
            request.add(buffer.position(), argument.length);
            buffer.put(argument);
        }
        request.buffer = buffer;
        return request;
    }

    void clear() {
        count = 0;
        if (offsets.length > ROOM_KEPT) {
            offsets = new int[ROOM_MIN];
            lengths = new int[ROOM_MIN];
        }
        if (own.capacity() > ROOM_KEPT) {
            own = ByteBuffer.allocate(0);
        }
    }

    /** Returns an empty buffer of the request, with room for at least this many bytes. */
    ByteBuffer ownRoom(int bytes) {
        if (own.capacity() < bytes) {
            own = ByteBuffer.allocate(bytes);
        }
        return own.clear();
    }

    void add(int offset, int length) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        offsets[count] = offset;
        lengths[count] = length;
        count++;
    }

    /** Shifts the offsets of the arguments, which were counted from the beginning of the request, by where the request begins. */
    void complete(ByteBuffer in, int start) {
        buffer = in;
        for (int i = 0; i < count; i++) {
            offsets[i] += start;
        }
    }

    /** Returns how many arguments there are, the name of the command included; 0 for an empty line. */
    public int count() {
        return count;
    }

    /** Returns the buffer that holds the arguments. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Returns where an argument begins in the buffer. */
    public int offset(int argument) {
        return offsets[check(argument)];
    }

    /** Returns how many bytes an argument has. */
    public int length(int argument) {
        return lengths[check(argument)];
    }

    /** Returns how many bytes there are from the first argument to the end of the last. No argument is longer. */
    public int spanBytes() {
        return count == 0 ? 0 : offsets[count - 1] + lengths[count - 1] - offsets[0];
    }

    private int check(int argument) {
        if (argument < 0 || argument >= count) {
            throw new IndexOutOfBoundsException("argument " + argument + " of " + count);
        }
        return argument;
    }

    /** Returns a request of the same arguments, in a buffer of its own: an array that holds them one after the other. */
    public Request copy() {
        return from(0);
    }

    /** Returns a copy of the arguments from an index on; that argument becomes the first. */
    public Request from(int first) {
        int bytes = 0;
        for (int i = first; i < count; i++) {
            bytes = Math.addExact(bytes, lengths[i]);
        }
        ByteBuffer arguments = ByteBuffer.allocate(bytes);
        Request copy = new Request();
        for (int i = first; i < count; i++) {
            copy.add(arguments.position(), lengths[i]);
            arguments.put(arguments.position(), buffer, offsets[i], lengths[i]);
            arguments.position(arguments.position() + lengths[i]);
        }
        copy.buffer = arguments;
        return copy;
    }

    /** Returns a copy of an argument. */
    public byte[] bytes(int argument) {
        byte[] copy = new byte[length(argument)];
        buffer.get(offsets[argument], copy);
        return copy;
    }

    /** Returns an argument as a text: for messages, and never for keys. {@link ByteText} keeps bytes that are not UTF-8. */
    public String text(int argument) {
        byte[] bytes = bytes(argument);
        return ByteText.of(bytes, 0, bytes.length);
    }

    /** Returns an argument as {@link #text}, cut as C cuts a text that is printed with a greatest length: also at a zero byte. */
    String text(int argument, int mostBytes) {
        byte[] bytes = bytes(argument);
        int length = 0;
        while (length < Math.min(bytes.length, mostBytes) && bytes[length] != 0) {
            length++;
        }
        return ByteText.of(bytes, 0, length);
    }

    /** Returns whether an argument is UTF-8. */
    public boolean isText(int argument) {
        return decoded(argument) != null;
    }

    /**
     * Returns an argument as a text of the same bytes: for texts that are kept, and compared with others later.
     *
     * @throws ReplyException if it is not UTF-8
     */
    public String exactText(int argument) {
        String text = decoded(argument);
        if (text == null) {
            throw new ReplyException("ERR argument " + argument + " of '" + text(0) + "' must be UTF-8");
        }
        return text;
    }

    private @Nullable String decoded(int argument) {
        int length = length(argument);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(buffer.slice(offsets[argument], length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Returns whether an argument is a word in ASCII, in any case. */
    public boolean is(int argument, String word) {
        int length = length(argument);
        if (length != word.length()) {
            return false;
        }
        int offset = offsets[argument];
        for (int i = 0; i < length; i++) {
            if (lower(buffer.get(offset + i)) != lower((byte) word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte character) {
        return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
    }

    /** Returns whether an argument is an integer of 64 bits, as Redis reads one: no plus, no space, no leading zero. */
    public boolean isInteger(int argument) {
        int offset = offset(argument);
        return Decimal.isInteger(buffer, offset, offset + lengths[argument]);
    }

    /** Returns the value of an argument for which {@link #isInteger} is true. */
    public long integer(int argument) {
        int offset = offset(argument);
        return Decimal.value(buffer, offset, offset + lengths[argument]);
    }
}
