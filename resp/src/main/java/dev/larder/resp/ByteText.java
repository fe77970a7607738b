package dev.larder.resp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Converts bytes of a client to a text, for messages, and back. Bytes that are not UTF-8 are preserved: each becomes a
 * character that does not occur in UTF-8.
 *
 * <pre>
 * bytes    'f'  FF        C3 A4
 * text     'f'  U+DCFF    U+00E4
 * </pre>
 */
public final class ByteText {

    private static final char UNKNOWN = '\uFFFD';
    private static final char FIRST = '\uDC80';
    private static final char LAST = '\uDCFF';

    private ByteText() {}

    /** Returns a range of bytes as a text. */
    public static String of(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        return text.indexOf(UNKNOWN) < 0 ? text : decode(ByteBuffer.wrap(bytes, offset, length));
    }

    private static String decode(ByteBuffer in) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // it reports bytes that are not UTF-8
        CharBuffer out = CharBuffer.allocate(in.remaining());
        CoderResult result = decoder.decode(in, out, true);
        while (result.isError()) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (FIRST - 0x80 + (in.get() & 0xFF)));
            }
            result = decoder.decode(in, out, true);
        }
        return out.flip().toString();
    }

    /** Returns the bytes of a text, as {@link #of} has made it, or any other. */
    public static byte[] bytes(String text) {
        return isWhole(text) ? text.getBytes(StandardCharsets.UTF_8) : encode(text);
    }

    private static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isByte(text, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isByte(String text, int at) {
        char character = text.charAt(at);
        return character >= FIRST && character <= LAST && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }

    private static byte[] encode(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (isByte(text, i)) {
                out.writeBytes(text.substring(from, i).getBytes(StandardCharsets.UTF_8));
                out.write(text.charAt(i));
                from = i + 1;
            }
        }
        out.writeBytes(text.substring(from).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }
}
