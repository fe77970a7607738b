package dev.larder.array.plan;

/** The role of a member, by what it keeps. */
public enum Role {
    /** The log, the values, and the map: it can lead. */
    MIRROR,
    /** The log and the values: it votes, and hands over if it is elected. */
    WITNESS
}
