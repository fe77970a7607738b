package dev.larder.log.retain;

/** What holds segments back that are old enough to go: places up to which somebody still wants to read. */
@FunctionalInterface
public interface Holds {

    /** Nobody holds anything back. */
    Holds NONE = () -> Long.MAX_VALUE;

    /** Returns the lowest position that somebody still wants; {@code Long.MAX_VALUE} where nobody does. */
    long lowestHeld();
}
