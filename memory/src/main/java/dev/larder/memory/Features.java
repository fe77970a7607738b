package dev.larder.memory;

/**
 * The features that a file uses, one bit each, in three masks. The mask says how a release treats an unknown bit.
 *
 * @param compatible may be ignored
 * @param readOnlyCompatible may be ignored by a reader; a writer would destroy it
 * @param incompatible must be known to read the file at all
 */
public record Features(long compatible, long readOnlyCompatible, long incompatible) {

    /** No features. */
    public static final Features NONE = new Features(0, 0, 0);

    /** Returns the features of this file that {@code known} lacks, without those that may be ignored. */
    Features unknownTo(Features known) {
        return new Features(0, readOnlyCompatible & ~known.readOnlyCompatible, incompatible & ~known.incompatible);
    }
}
