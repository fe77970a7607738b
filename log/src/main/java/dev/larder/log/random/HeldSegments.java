package dev.larder.log.random;

import org.jspecify.annotations.Nullable;

/**
 * The segments whose records are read by their positions: a ring, in which each number has one place. Immutable;
 * {@code LogRecords} replaces it as a whole.
 */
final class HeldSegments {

    private static final int FIRST_PLACES = 64;

    static final HeldSegments NONE = new HeldSegments(FIRST_PLACES);

    private final @Nullable HeldSegment[] places;

    private HeldSegments(int count) {
        this.places = new HeldSegment[count];
    }

    @Nullable
    HeldSegment get(int number) {
        HeldSegment there = places[number & (places.length - 1)];
        return there != null && there.number == number ? there : null;
    }

    /** Returns a copy with one more segment. */
    HeldSegments with(HeldSegment more) {
        HeldSegments copy = new HeldSegments(places.length);
        boolean fits = copy.take(more) && copy.takeAll(this);
        while (!fits) {
            copy = new HeldSegments(2 * copy.places.length);
            fits = copy.take(more) && copy.takeAll(this);
        }
        return copy;
    }

    /** Returns a copy without one of the segments. */
    HeldSegments without(HeldSegment less) {
        HeldSegments copy = new HeldSegments(places.length);
        copy.takeAll(this);
        copy.places[less.segment.number & (places.length - 1)] = null;
        return copy;
    }

    private boolean takeAll(HeldSegments others) {
        boolean all = true;
        for (HeldSegment other : others.places) {
            all &= other == null || take(other);
        }
        return all;
    }

    private boolean take(HeldSegment one) {
        int place = one.segment.number & (places.length - 1);
        boolean free = places[place] == null;
        if (free) {
            places[place] = one;
        }
        return free;
    }

    void forEach(java.util.function.Consumer<HeldSegment> action) {
        for (HeldSegment there : places) {
            if (there != null) {
                action.accept(there);
            }
        }
    }
}
