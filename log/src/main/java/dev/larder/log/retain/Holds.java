package dev.larder.log.retain;

/** The positions that hold back segments that are old enough to go, because a reader still wants them. */
@FunctionalInterface
public interface Holds {

    /** Holds nothing back. */
    Holds NONE = () -> Long.MAX_VALUE;

    /** Returns the lowest position that a reader still wants; {@code Long.MAX_VALUE} where none does. */
    long lowestHeld();
}
