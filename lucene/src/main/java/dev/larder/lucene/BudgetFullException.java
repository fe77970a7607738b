package dev.larder.lucene;

import java.io.IOException;
import java.io.Serial;

/**
 * A file does not fit into the {@link MemoryBudget}. The text names the file, its size, the budget and what is used of it.
 */
public class BudgetFullException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** An error with its text. */
    public BudgetFullException(String message) {
        super(message);
    }
}
