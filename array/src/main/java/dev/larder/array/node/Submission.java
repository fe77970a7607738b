package dev.larder.array.node;

import dev.larder.array.entry.Operation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operation on its way: into an entry, to a majority, and back with its replies. */
final class Submission extends SessionWait {

    private final Operation operation;
    private boolean aborted;
    private List<byte[]> replies = List.of();
    private @Nullable String error = "ERR the write has no reply";

    Submission(Operation operation) {
        this.operation = operation;
    }

    Operation operation() {
        return operation;
    }

    /** Takes the replies; empty where a watched key had changed. */
    void replied(Optional<List<byte[]>> all) {
        error = null;
        aborted = all.isEmpty();
        replies = all.orElse(List.of());
        run();
    }

    void failed(String line) {
        error = line;
        run();
    }

    /** Returns the line of the error reply; null: there are replies. */
    @Nullable
    String error() {
        return error;
    }

    /** Returns whether nothing was done, since a watched key had changed. */
    boolean isAborted() {
        return aborted;
    }

    /** Returns the replies to its calls. */
    List<byte[]> replies() {
        return replies;
    }
}
