package dev.larder.lab.load;

import dev.larder.lab.result.LabException;

/** What was asked for cannot be had on this machine: no fault of what is measured. */
public final class SkippedException extends LabException {

    private static final long serialVersionUID = 1L;

    /** With the reason, for people. */
    public SkippedException(String message) {
        super(message);
    }
}
