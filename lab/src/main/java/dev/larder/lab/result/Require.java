package dev.larder.lab.result;

/** What must hold of what was asked for. */
public final class Require {

    private Require() {}

    /**
     * Checks a condition.
     *
     * @throws IllegalArgumentException with the message where it does not hold
     */
    public static void that(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
