package dev.larder.benchmarks.rivals;

import org.jspecify.annotations.Nullable;

/** What a subject has open. */
final class OpenSubject {

    private OpenSubject() {}

    /** Returns what is open; fails where nothing is. */
    static <T> T of(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("it is not open");
        }
        return part;
    }
}
