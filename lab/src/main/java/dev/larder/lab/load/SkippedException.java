package dev.larder.lab.load;

import dev.larder.lab.result.LabException;

/** Thrown if this machine lacks something: no fault of the subject. */
public final class SkippedException extends LabException {

    private static final long serialVersionUID = 1L;

    /** With the reason, for people. */
    public SkippedException(String message) {
        super(message);
    }
}
