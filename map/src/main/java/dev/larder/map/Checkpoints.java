package dev.larder.map;

import java.util.OptionalLong;

/**
 * When a map writes an image of its index by itself, beside the writers, as {@link LarderMap#checkpoint} does: so that an
 * opening after a crash need not read again all that was written since the map was opened. It belongs to this opening; where
 * several processes have the map open, one of them writes. Not where nothing is synced by itself, or kept.
 *
 * @param logBytes how many bytes are written to the log from one image to the next, from 1 MiB on; at least 16 times the
 *     image's own, though, and ten seconds lie between two. Empty: only when asked, and at close
 */
public record Checkpoints(OptionalLong logBytes) {

    private static final long BYTES_MIN = 1L << 20;
    private static final Checkpoints DEFAULTS = after(1L << 30);
    private static final Checkpoints NONE = new Checkpoints(OptionalLong.empty());

    /** Images at intervals; each value must be in its range. */
    public Checkpoints {
        if (logBytes.isPresent() && logBytes.getAsLong() < BYTES_MIN) {
            throw new IllegalArgumentException("an image of the index each " + logBytes.getAsLong()
                    + " bytes of the log; the least is " + BYTES_MIN + " bytes");
        }
    }

    /** Returns the defaults: an image for each GiB. */
    public static Checkpoints defaults() {
        return DEFAULTS;
    }

    /** Returns none but those that are asked for, and the one at close. */
    public static Checkpoints none() {
        return NONE;
    }

    /** Returns an image for so many bytes that were written to the log. */
    public static Checkpoints after(long bytes) {
        return new Checkpoints(OptionalLong.of(bytes));
    }
}
