package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How far a stripe has come: the note of the moment at which its store is kept. Little-endian.
 *
 * <pre>
 * 0         1      9       17      25
 * | version | term | index | clock |
 * </pre>
 *
 * @param applied the last entry of which all is done
 * @param clockMillis its time
 */
record Mark(Place applied, long clockMillis) {

    private static final byte VERSION = 2;
    private static final int BYTES = 25;

    /** Nothing is done. */
    static final Mark START = new Mark(Place.NONE, 0);

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(VERSION)
                .putLong(applied.term())
                .putLong(applied.index())
                .putLong(clockMillis)
                .array();
    }

    /** Returns the mark of a note; {@link #START} where there is none. */
    static Mark decode(byte[] note) {
        if (note.length == 0) {
            return START;
        }
        ByteBuffer in = ByteBuffer.wrap(note).order(ByteOrder.LITTLE_ENDIAN);
        if (note.length != BYTES || in.get() != VERSION) {
            throw new CorruptException(
                    "the note of a stripe's store has " + note.length + " bytes, or another version than " + VERSION);
        }
        return new Mark(new Place(in.getLong(), in.getLong()), in.getLong());
    }
}
