package dev.larder.array.link;

import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The first frame that each side of a link sends. Big-endian.
 *
 * <pre>
 * 0        8         10      26     30
 * | LRDRLINK | version | array | node |
 * </pre>
 *
 * @param version the version of the nodes' protocol
 * @param array the sender's array
 * @param node the sender's number
 */
record Greeting(int version, UUID array, int node) {

    /** The version that this node speaks. Both sides must speak the same. */
    static final int VERSION = 8;

    static final int BYTES = 30;

    private static final long MAGIC = 0x4C52_4452_4C49_4E4BL; // LRDRLINK

    ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(MAGIC)
                .putShort((short) version)
                .putLong(array.getMostSignificantBits())
                .putLong(array.getLeastSignificantBits())
                .putInt(node)
                .flip();
    }

    /**
     * Returns the greeting of some bytes.
     *
     * @throws CorruptException if the bytes are not a greeting
     */
    static Greeting decode(ByteBuffer in) {
        if (in.remaining() != BYTES || in.getLong() != MAGIC) {
            throw new CorruptException("it does not begin with the greeting of an array's node");
        }
        return new Greeting(Short.toUnsignedInt(in.getShort()), new UUID(in.getLong(), in.getLong()), in.getInt());
    }
}
