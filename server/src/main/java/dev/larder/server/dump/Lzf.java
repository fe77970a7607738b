package dev.larder.server.dump;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Strings that were packed with LZF, as Redis packs long strings.
 *
 * <pre>
 * 000LLLLL                        L + 1 bytes follow as they are
 * LLLooooo oooooooo               L + 2 bytes, found o + 1 bytes before; L is 1 to 6
 * 111ooooo LLLLLLLL oooooooo      L + 9 bytes
 * </pre>
 *
 * Source: "LibLZF", format of the compressed stream.
 */
final class Lzf {

    private static final int LITERALS = 0x20;
    private static final int LONG = 7;

    private Lzf() {}

    /** Returns the unpacked bytes; null unless they are exactly {@code length}. */
    static byte @Nullable [] unpack(ByteBuffer in, int packed, int length) {
        byte[] out = new byte[length];
        int end = in.position() + packed;
        int at = 0;
        while (in.position() < end) {
            int control = in.get() & 0xFF;
            at = control < LITERALS ? literals(in, end, control + 1, out, at) : repeat(in, end, control, out, at);
            if (at < 0) {
                return null;
            }
        }
        return at == length ? out : null;
    }

    private static int literals(ByteBuffer in, int end, int count, byte[] out, int at) {
        if (count > end - in.position() || count > out.length - at) {
            return -1;
        }
        in.get(out, at, count);
        return at + count;
    }

    private static int repeat(ByteBuffer in, int end, int control, byte[] out, int at) {
        int count = control >> 5;
        if (end - in.position() < (count == LONG ? 2 : 1)) {
            return -1;
        }
        if (count == LONG) {
            count += in.get() & 0xFF;
        }
        count += 2;
        int from = at - ((control & 0x1F) << 8 | (in.get() & 0xFF)) - 1;
        if (from < 0 || count > out.length - at) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            out[at + i] = out[from + i]; // byte by byte: the two may overlap
        }
        return at + count;
    }
}
