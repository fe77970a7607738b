package dev.larder.lab.result;

import dev.larder.memory.LarderException;
import java.io.Serial;

/** An experiment cannot run here, or broke off. The text says why and what would help. */
public class LabException extends LarderException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public LabException(String message) {
        super(message);
    }

    /** An error with its text and its cause. */
    public LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
