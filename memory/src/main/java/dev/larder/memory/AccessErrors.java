package dev.larder.memory;

/**
 * Errors of accesses to mapped memory that the system could not serve: a file that was cut, a device that failed.
 *
 * <p>Such an access raises SIGBUS, of which the JVM makes an {@link InternalError}. Compiled code goes on meanwhile: the
 * error arrives at the next safepoint poll, which may lie in the caller of the method that was inlined, outside of the
 * {@code try} that was to catch it, and behind stores that were to come after the access. So whoever must know whether
 * its accesses were served calls {@link #deliver} behind them, and inside its {@code try}.
 */
public final class AccessErrors {

    /** Deeper than the compiler inlines a method into itself, so that a real call is left, which polls as it returns. */
    private static final int DEPTH = 3;

    private AccessErrors() {}

    /**
     * Passes a safepoint poll; takes about 3 ns.
     *
     * @throws InternalError when an earlier access of this thread to mapped memory has failed
     */
    public static void deliver() {
        poll(DEPTH);
    }

    private static void poll(int depth) {
        if (depth > 0) {
            poll(depth - 1);
        }
    }
}
