package dev.larder.memory;

/**
 * Delivery of errors of accesses to mapped memory that the system could not serve: the file was truncated, or the
 * device failed.
 *
 * <p>Such an access raises SIGBUS, which the JVM turns into an {@link InternalError}. Compiled code continues
 * meanwhile. The error arrives at the next safepoint poll. That poll may lie in the caller of an inlined method:
 * outside of the {@code try} that should catch it, and after stores that should follow the access. So code that must
 * know whether its accesses were served calls {@link #deliver} after them, inside its {@code try}.
 */
public final class AccessErrors {

    /** Deeper than the compiler inlines a method into itself. So a real call is left, which polls as it returns. */
    private static final int DEPTH = 3;

    private AccessErrors() {}

    /**
     * Passes a safepoint poll; takes about 3 ns.
     *
     * @throws InternalError if an earlier access of this thread to mapped memory has failed
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
