package dev.larder.lucene;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Flushes files in a thread that is never interrupted. An interrupt would close the channel, and the result of the flush would
 * be lost: the system reports a failed flush only once.
 */
final class Flushing {

    private final Background thread = new Background("flush", 1);

    /** Flushes a file even if the caller is interrupted, and restores the interrupt. */
    void flush(FileChannel channel) throws IOException {
        FutureTask<FileChannel> flush = new FutureTask<>(() -> {
            channel.force(true);
            return channel;
        });
        thread.execute(flush);
        await(flush);
    }

    private static void await(FutureTask<FileChannel> flush) throws IOException {
        boolean interrupted = false;
        boolean done = false;
        try {
            while (!done) {
                try {
                    flush.get();
                    done = true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException(cause.getMessage(), cause);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the thread. */
    void finish() {
        thread.finish();
    }
}
