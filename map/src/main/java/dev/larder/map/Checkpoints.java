package dev.larder.map;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The times at which a map writes a checkpoint of its index by itself, while others write, as
 * {@link LarderMap#checkpoint} does. An opening after a crash then need not read all of the log since the map was
 * opened. It belongs to one opening. If several processes have the map open, one of them writes. A temporary map, or a
 * map without a sync policy, writes none by itself.
 *
 * @param logBytes the bytes of log from one checkpoint to the next, at least 1 MiB. In addition, they are at least 16
 *     times the checkpoint's own size, and ten seconds pass between two. Empty: only on request, and at close
 */
public record Checkpoints(OptionalLong logBytes) {

    private static final long BYTES_MIN = 1L << 20;
    private static final Checkpoints DEFAULTS = after(1L << 30);
    private static final Checkpoints NONE = new Checkpoints(OptionalLong.empty());

    /** Creates an interval; it must be in its range. */
    public Checkpoints {
        Objects.requireNonNull(logBytes, "logBytes");
        if (logBytes.isPresent() && logBytes.getAsLong() < BYTES_MIN) {
            throw new IllegalArgumentException("a checkpoint per " + logBytes.getAsLong()
                    + " bytes of the log; the least is " + BYTES_MIN + " bytes");
        }
    }

    /** Returns the default: a checkpoint for each GiB of log. */
    public static Checkpoints defaults() {
        return DEFAULTS;
    }

    /** Returns the setting for checkpoints only on request and at close. */
    public static Checkpoints none() {
        return NONE;
    }

    /** Returns the setting for a checkpoint after {@code bytes} bytes of log. */
    public static Checkpoints after(long bytes) {
        return new Checkpoints(OptionalLong.of(bytes));
    }
}
