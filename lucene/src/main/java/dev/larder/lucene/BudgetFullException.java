package dev.larder.lucene;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A file does not fit into the {@link MemoryBudget}, or the system has no memory for it. The text names the file, its size, the
 * budget and how much of it is used.
 */
public class BudgetFullException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public BudgetFullException(String message) {
        super(message);
    }

    /** An error with its text, and the error of the system if the budget had room. */
    BudgetFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
