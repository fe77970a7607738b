package dev.larder.memory;

/**
 * The features that a file uses, a bit each, in three masks that say what an unknown bit means to a reader.
 *
 * @param compatible what may be ignored
 * @param readOnlyCompatible what may be ignored by who only reads; a writer would destroy it
 * @param incompatible what must be known to read the file at all
 */
public record Features(long compatible, long readOnlyCompatible, long incompatible) {

    /** No feature. */
    public static final Features NONE = new Features(0, 0, 0);

    /** Returns the features of this file that a release with these known ones does not know, the ignorable left out. */
    Features unknownTo(Features known) {
        return new Features(0, readOnlyCompatible & ~known.readOnlyCompatible, incompatible & ~known.incompatible);
    }
}
