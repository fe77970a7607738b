package dev.larder.server.store;

/**
 * The slot of a key, of 16,384. It is the CRC16 of the key, or of the part between the first {@code {} and the next {@code }}
 * if that part exists and is not empty. Source: "Redis cluster specification", key distribution model; CRC-16/XMODEM.
 */
public final class KeySlot {

    /** How many slots there are. */
    public static final int COUNT = 1 << 14;

    private static final int POLYNOMIAL = 0x1021;
    private static final char[] TABLE = table();

    private KeySlot() {}

    private static char[] table() {
        char[] table = new char[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
            }
            table[i] = (char) crc;
        }
        return table;
    }

    /** Returns the slot of a key. */
    public static int of(Bytes key) {
        int open = indexOf(key, '{', 0);
        int close = open < 0 ? -1 : indexOf(key, '}', open + 1);
        return close > open + 1 ? slot(key, open + 1, close) : slot(key, 0, key.length());
    }

    private static int indexOf(Bytes key, char character, int from) {
        for (int i = from; i < key.length(); i++) {
            if (key.at(i) == character) {
                return i;
            }
        }
        return -1;
    }

    private static int slot(Bytes key, int from, int to) {
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = (crc << 8 ^ TABLE[(crc >>> 8 ^ key.at(i)) & 0xFF]) & 0xFFFF;
        }
        return crc & COUNT - 1;
    }
}
