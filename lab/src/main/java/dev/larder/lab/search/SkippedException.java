package dev.larder.lab.search;

import dev.larder.lab.result.LabException;

/** What was asked for cannot be had on this machine: no fault of what is measured. */
final class SkippedException extends LabException {

    private static final long serialVersionUID = 1L;

    SkippedException(String message) {
        super(message);
    }
}
