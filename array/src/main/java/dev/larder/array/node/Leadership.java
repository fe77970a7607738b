package dev.larder.array.node;

import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a node tells the others several times a second: which stripes it leads. A frame of the links, big-endian:
 *
 * <pre>
 * 0      1       5
 * | kind | count | claims ...      kind: 3
 *
 * claim  | stripe 16 | term 8 |
 * </pre>
 *
 * @param claims the stripes that it leads
 */
record Leadership(List<Claim> claims) {

    static final byte KIND = 3;

    private static final int HEAD_BYTES = 5;
    private static final int CLAIM_BYTES = 24;

    /**
     * A stripe that the node leads.
     *
     * @param term since when
     */
    record Claim(UUID stripe, long term) {}

    /** What a node leads; the list is copied. */
    Leadership {
        claims = List.copyOf(claims);
    }

    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + claims.size() * CLAIM_BYTES);
        out.put(KIND).putInt(claims.size());
        for (Claim claim : claims) {
            out.putLong(claim.stripe.getMostSignificantBits())
                    .putLong(claim.stripe.getLeastSignificantBits())
                    .putLong(claim.term);
        }
        return out.flip();
    }

    /**
     * Returns the message of a frame.
     *
     * @throws CorruptException if it is none
     */
    static Leadership decode(ByteBuffer frame) {
        ByteBuffer in = frame.slice();
        int bytes = in.remaining();
        if (bytes < HEAD_BYTES
                || in.get() != KIND
                || in.getInt() != (bytes - HEAD_BYTES) / CLAIM_BYTES
                || (bytes - HEAD_BYTES) % CLAIM_BYTES != 0) {
            throw new CorruptException("a frame of " + bytes + " bytes says what a node leads, and does not fit");
        }
        List<Claim> claims = new ArrayList<>();
        while (in.hasRemaining()) {
            claims.add(new Claim(new UUID(in.getLong(), in.getLong()), in.getLong()));
        }
        return new Leadership(claims);
    }
}
