package dev.larder.cli.queue;

import dev.larder.queue.LarderQueue;
import java.nio.file.Path;

/**
 * A queue that a command has open. A command closes its own queue; a queue that a shell has opened stays open.
 *
 * @param readOnly whether appends are refused
 * @param isShared whether a shell has opened it
 */
record OpenQueue(Path directory, LarderQueue queue, boolean readOnly, boolean isShared) implements AutoCloseable {

    /** Returns the same queue for the commands of a shell. */
    OpenQueue shared() {
        return new OpenQueue(directory, queue, readOnly, true);
    }

    /** Makes the messages durable that a shell's commands have appended. */
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
