package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.CorruptException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * How far a stripe has come: the note of its store. It is put among the strings, so it survives with all changes before it. One
 * is put ahead of each command whose effect must not come twice, and one when all is made durable. Little-endian.
 *
 * <pre>
 * 0         1      9       17      25        29      33
 * | version | term | index | clock | command | count | states 8 ...      count -1: the command is not begun
 * </pre>
 *
 * @param applied the last entry of which all is done
 * @param clockMillis its time
 * @param command which command of the entry behind that is done next: those before it are done; {@link #NO_COMMAND} if none
 * @param before what the keys of that command held before it, in their order, as numbers; null: it is not begun
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares it
record Mark(Place applied, long clockMillis, int command, long @Nullable [] before) {

    static final int NO_COMMAND = -1;

    private static final byte VERSION = 1;
    private static final int HEAD_BYTES = 33;
    private static final int NOT_BEGUN = -1;

    /** Nothing is done. */
    static final Mark START = done(Place.NONE, 0);

    static Mark done(Place applied, long clockMillis) {
        return new Mark(applied, clockMillis, NO_COMMAND, null);
    }

    byte[] encode() {
        long[] states = before == null ? new long[0] : before;
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + states.length * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(VERSION)
                .putLong(applied.term())
                .putLong(applied.index())
                .putLong(clockMillis)
                .putInt(command)
                .putInt(before == null ? NOT_BEGUN : states.length);
        for (long state : states) {
            out.putLong(state);
        }
        return out.array();
    }

    static Mark decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < HEAD_BYTES || in.get() != VERSION) {
            throw new CorruptException(
                    "the note of a stripe's store has " + bytes.length + " bytes, or another version");
        }
        Place applied = new Place(in.getLong(), in.getLong());
        long clock = in.getLong();
        int command = in.getInt();
        int count = in.getInt();
        if (count < NOT_BEGUN || in.remaining() != Math.max(count, 0L) * Long.BYTES) {
            throw new CorruptException(
                    "the note of a stripe's store counts " + count + " states in " + in.remaining() + " bytes");
        }
        if (count == NOT_BEGUN) {
            return new Mark(applied, clock, command, null);
        }
        long[] before = new long[count];
        in.asLongBuffer().get(before);
        return new Mark(applied, clock, command, before);
    }
}
