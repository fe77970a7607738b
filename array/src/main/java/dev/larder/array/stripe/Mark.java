package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The progress of a stripe: the note of the moment at which its store is kept. Little-endian.
 *
 * <pre>
 * 0         1      9       17      25      33
 * | version | term | index | clock | floor |         version 3; version 2 ends behind the clock
 * </pre>
 *
 * @param applied the last entry whose effects are all in the store
 * @param clockMillis its time
 * @param floor the position of the map's log from which values of entries are needed; 0: from its beginning, or there are none
 */
record Mark(Place applied, long clockMillis, long floor) {

    private static final byte VERSION = 2;
    private static final int BYTES = 25;
    private static final byte VERSION_WITH_FLOOR = 3;

    /** The mark of a stripe without applied entries. */
    static final Mark START = new Mark(Place.NONE, 0);

    /** Creates the mark of a stripe whose entries are whole. */
    Mark(Place applied, long clockMillis) {
        this(applied, clockMillis, 0);
    }

    byte[] encode() {
        boolean hasFloor = floor != 0;
        ByteBuffer out = ByteBuffer.allocate(hasFloor ? BYTES + Long.BYTES : BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(hasFloor ? VERSION_WITH_FLOOR : VERSION)
                .putLong(applied.term())
                .putLong(applied.index())
                .putLong(clockMillis);
        if (hasFloor) {
            out.putLong(floor);
        }
        return out.array();
    }

    /** Returns the mark of a note; {@link #START} if the note is empty. */
    static Mark decode(byte[] note) {
        if (note.length == 0) {
            return START;
        }
        ByteBuffer in = ByteBuffer.wrap(note).order(ByteOrder.LITTLE_ENDIAN);
        byte version = in.get();
        boolean hasFloor = version == VERSION_WITH_FLOOR;
        if (note.length != (hasFloor ? BYTES + Long.BYTES : BYTES) || (!hasFloor && version != VERSION)) {
            throw new CorruptException("the note of a stripe's store has " + note.length + " bytes and version "
                    + version + ": this node knows " + VERSION + " and " + VERSION_WITH_FLOOR);
        }
        return new Mark(new Place(in.getLong(), in.getLong()), in.getLong(), hasFloor ? in.getLong() : 0);
    }
}
