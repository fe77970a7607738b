package dev.larder.array.pull;

import dev.larder.array.pull.PullFrame.Reason;
import java.io.Serial;

/** Reports that files cannot be pulled from a source. */
final class PullException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    PullException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
