package dev.larder.log.layer;

import org.jspecify.annotations.Nullable;

/**
 * The steps of a closing: each runs, even if earlier steps throw. The first error is thrown at the end, with the others
 * suppressed.
 */
public final class ClosingSteps {

    private final Failpoints listener;
    private @Nullable Throwable first;

    /** Begins a closing without a listener. */
    public ClosingSteps() {
        this(Failpoints.NONE);
    }

    /** Begins a closing; the listener is called with {@code close.<name>} as each step begins, and may fail it. */
    public ClosingSteps(Failpoints listener) {
        this.listener = listener;
    }

    /** Runs a step; throws nothing. */
    public void take(String name, Runnable step) {
        try {
            try {
                listener.reached("close." + name);
            } finally {
                step.run();
            }
        } catch (RuntimeException | Error e) {
            note(e);
        }
    }

    /** Returns whether no step has failed so far. */
    public boolean isWell() {
        return first == null;
    }

    private void note(Throwable error) {
        Throwable known = first;
        if (known == null) {
            first = error;
        } else if (!known.equals(error)) {
            known.addSuppressed(error);
        }
    }

    /** Throws the first error, if there was any. */
    public void end() {
        switch (first) {
            case null -> {}
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            case Throwable other -> throw new AssertionError("no step throws a checked exception", other);
        }
    }
}
