package dev.larder.map;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The way in which a map gives the space of overwritten and removed entries back. It empties its oldest segment, moves
 * the live records to the end of the log, and reuses the file. Immutable; each {@code with} returns a changed copy. It
 * belongs to one opening.
 *
 * <pre>
 * space factor                          1.25    1.5     2       3
 * live share of the files               80 %    67 %    50 %    33 %
 * bytes written for one, at random      2.7     1.8     1.25    1.06
 * </pre>
 *
 * @param spaceFactor how many bytes the files may take for each live byte, from 1.1 to 100. A small map takes 16 MiB
 *     more than its entries. If the cleaner does not keep up, the thread that fills a segment helps it
 * @param maxBytes the most bytes that the segments may take, at least 16 MiB. Prepared space and up to two spare files
 *     come on top. Three segments of it are kept for the cleaner. A put beyond it throws a DiskFullException, or
 *     entries are evicted. Empty: no bound
 * @param background whether a thread of the map cleans. Without it, only {@link LarderMap#compact} cleans, and a put
 *     that finds no room
 * @param evicts whether entries are evicted if there is no room for all, instead of an error. Entries go first that
 *     were not read since they were put, or since the cleaner last passed them. It requires {@link #maxBytes}. The
 *     files grow to that size, and entries are evicted when the live ones take more than {@code maxBytes / spaceFactor}
 */
public record Cleaning(double spaceFactor, OptionalLong maxBytes, boolean background, boolean evicts) {

    private static final double FACTOR_MIN = 1.1;
    private static final double FACTOR_MAX = 100;
    private static final long BYTES_MIN = 16L << 20;
    private static final Cleaning DEFAULTS = new Cleaning(2, OptionalLong.empty(), true, false);
    private static final double EVICTING_FACTOR = 1.15;

    /** Creates a way of cleaning; each value must be in its range. */
    public Cleaning {
        Objects.requireNonNull(maxBytes, "maxBytes");
        if (!(spaceFactor >= FACTOR_MIN && spaceFactor <= FACTOR_MAX)) {
            throw new IllegalArgumentException(
                    "space factor of " + spaceFactor + " is not between " + FACTOR_MIN + " and " + FACTOR_MAX);
        }
        if (maxBytes.isPresent() && maxBytes.getAsLong() < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "space of " + maxBytes.getAsLong() + " bytes; the least is " + BYTES_MIN + " bytes");
        }
        if (evicts && maxBytes.isEmpty()) {
            throw new IllegalArgumentException("eviction needs a bound: set maxBytes");
        }
    }

    /** Returns the defaults: files of twice the live bytes, no other bound, in the background. */
    public static Cleaning defaults() {
        return DEFAULTS;
    }

    /** Returns the cleaning of a cache: at most {@code most} bytes by eviction, with a space factor of 1.15. */
    public static Cleaning evicting(long most) {
        return new Cleaning(EVICTING_FACTOR, OptionalLong.of(most), true, true);
    }

    /** Returns a copy with another {@link #spaceFactor}. */
    public Cleaning withSpaceFactor(double factor) {
        return new Cleaning(factor, maxBytes, background, evicts);
    }

    /** Returns a copy with other {@link #maxBytes}. */
    public Cleaning withMaxBytes(long most) {
        return new Cleaning(spaceFactor, OptionalLong.of(most), background, evicts);
    }

    /** Returns a copy with another {@link #background}. */
    public Cleaning withBackground(boolean clean) {
        return new Cleaning(spaceFactor, maxBytes, clean, evicts);
    }
}
