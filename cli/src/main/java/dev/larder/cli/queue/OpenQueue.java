package dev.larder.cli.queue;

import dev.larder.queue.LarderQueue;
import java.nio.file.Path;

/**
 * A queue as a command has it open. A command closes its queue; one that a shell has opened stays open.
 *
 * @param readOnly whether nothing can be appended
 * @param isShared whether a shell has opened it
 */
record OpenQueue(Path directory, LarderQueue queue, boolean readOnly, boolean isShared) implements AutoCloseable {

    /** Returns the same queue for the commands of a shell. */
    OpenQueue shared() {
        return new OpenQueue(directory, queue, readOnly, true);
    }

    /** Makes durable what commands of a shell have appended. */
    void syncChanges() {
        if (!readOnly) {
            queue.sync();
        }
    }

    @Override
    public void close() {
        if (!isShared) {
            queue.close();
        }
    }
}
