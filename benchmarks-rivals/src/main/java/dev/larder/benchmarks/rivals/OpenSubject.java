package dev.larder.benchmarks.rivals;

import org.jspecify.annotations.Nullable;

/** The access to a subject's open parts. */
final class OpenSubject {

    private OpenSubject() {}

    /** Returns an open part; throws if it is not open. */
    static <T> T of(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("it is not open");
        }
        return part;
    }
}
