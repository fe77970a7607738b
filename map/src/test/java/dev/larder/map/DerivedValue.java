package dev.larder.map;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Values whose every eight bytes follow from key and version. A byte of another value, or a page of zeros, never passes as one.
 */
final class DerivedValue {

    private static final int SMALL_BYTES = 64;
    private static final int MIDDLE_BYTES = 1000;
    private static final int MIDDLE_MORE_BYTES = 1500;
    private static final int LARGE_MORE_BYTES = 6000;

    private DerivedValue() {}

    /** Returns the value of a key and a version (1 or more). Its length follows from the two, up to 6007 bytes. */
    static byte[] of(long key, int version) {
        return of(key, version, length(key, version));
    }

    /** Returns the value of a key and a version, with a given length of at least 8 bytes. */
    static byte[] of(long key, int version, int length) {
        ByteBuffer words = ByteBuffer.allocate((length + Long.BYTES - 1) & -Long.BYTES);
        words.putLong(((long) version << Integer.SIZE) | (word(key, version, 0) >>> Integer.SIZE));
        while (words.hasRemaining()) {
            words.putLong(word(key, version, words.position()));
        }
        return Arrays.copyOf(words.array(), length);
    }

    /** Returns the version of a value found under a key; fails if any byte is not that version's. */
    static int version(long key, byte[] found) {
        int version = found.length < Long.BYTES ? 0 : ByteBuffer.wrap(found).getInt();
        byte[] expected = version < 1 ? new byte[0] : of(key, version);
        if (!Arrays.equals(found, expected)) {
            throw new AssertionError(
                    "the value of key " + key + ", of " + found.length + " bytes, was never put: as version " + version
                            + " it is another at byte " + Arrays.mismatch(found, expected));
        }
        return version;
    }

    private static int length(long key, int version) {
        int drawn = (int) (word(key, version, -1) >>> 33);
        return switch (drawn & 7) {
            case 0, 1, 2 -> Long.BYTES + (drawn >>> 3) % SMALL_BYTES;
            case 3, 4, 5, 6 -> MIDDLE_BYTES + (drawn >>> 3) % MIDDLE_MORE_BYTES;
            default -> Long.BYTES + (drawn >>> 3) % LARGE_MORE_BYTES;
        };
    }

    private static long word(long key, int version, int at) {
        long mixed = (key * 31 + version) * 0x9E37_79B9_7F4A_7C15L + at;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }
}
