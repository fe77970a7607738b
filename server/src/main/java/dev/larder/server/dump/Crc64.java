package dev.larder.server.dump;

/** The checksum of Redis' dumps: the CRC-64 of Jones, reflected, from 0. Source: "crcspeed", CRC-64-Jones. */
public final class Crc64 {

    private static final long POLYNOMIAL = 0x95AC9329AC4BC9B5L;
    private static final long[] TABLE = table();

    private Crc64() {}

    private static long[] table() {
        long[] table = new long[256];
        for (int i = 0; i < table.length; i++) {
            long crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ POLYNOMIAL : crc >>> 1;
            }
            table[i] = crc;
        }
        return table;
    }

    /** Returns the checksum of the bytes from an index to another, exclusive. */
    static long of(byte[] bytes, int from, int to) {
        long crc = 0;
        for (int i = from; i < to; i++) {
            crc = crc >>> 8 ^ TABLE[(int) (crc ^ bytes[i]) & 0xFF];
        }
        return crc;
    }
}
