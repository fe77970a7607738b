package dev.larder.tests.support;

/** A part of a test that did not run, although the rest of the test did. */
public final class SkippedPart {

    private SkippedPart() {}

    /**
     * Lists the part at the end of the build.
     *
     * @param check the test and the part
     * @param reason why it did not run
     */
    public static void note(String check, String reason) {
        SkippedChecks.note(check, reason);
    }
}
