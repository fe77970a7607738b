package dev.larder.array.node;

import dev.larder.array.entry.Operation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An operation on its way: into an entry, to a majority, and back with its replies. */
final class Submission implements Runnable {

    private final Operation operation;
    private @Nullable Runnable end;
    private @Nullable Optional<List<byte[]>> replies;
    private @Nullable String error;

    Submission(Operation operation) {
        this.operation = operation;
    }

    Operation operation() {
        return operation;
    }

    /** Sets what is run once, in any thread, when the replies or an error are there. */
    void onEnd(Runnable task) {
        end = task;
    }

    void replied(Optional<List<byte[]>> all) {
        replies = all;
        run();
    }

    void failed(String line) {
        error = line;
        run();
    }

    /** Tells the end. */
    @Override
    public void run() {
        Runnable task = end;
        end = null; // it leads to the session, which may be gone
        if (task != null) {
            task.run();
        }
    }

    /** Returns the replies, none where a watched key had changed; null: there is an error. */
    @Nullable Optional<List<byte[]>> replies() {
        return replies;
    }

    /** Returns the line of the error reply. */
    String error() {
        return error == null ? "ERR the write has no reply" : error;
    }
}
