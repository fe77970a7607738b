package dev.larder.lab.result;

import org.jspecify.annotations.Nullable;

/** Checks of conditions. */
public final class Require {

    private Require() {}

    /**
     * Checks a condition.
     *
     * @throws IllegalArgumentException with the message if it does not hold
     */
    public static void that(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns a part of a store, such as a queue, that must be open by now. */
    public static <T> T open(@Nullable T part) {
        return present(part, "the store is not open");
    }

    /**
     * Returns an object that must exist by now.
     *
     * @throws LabException with the message if it is null
     */
    public static <T> T present(@Nullable T part, String message) {
        if (part == null) {
            throw new LabException(message);
        }
        return part;
    }
}
