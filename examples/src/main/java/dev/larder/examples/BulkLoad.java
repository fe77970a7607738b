package dev.larder.examples;

import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Loads many messages in batches of a MiB. Each is staged in memory, written by one call, and published as a whole or not at
 * all. A program that dies in between leaves the batches that it had published.
 */
public final class BulkLoad {

    private static final int LINES = 100_000;

    private BulkLoad() {}

    public static void main(String[] arguments) {
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            try (Appender appender = queue.appender();
                    Batch batch = appender.batch()) {
                for (int line = 0; line < LINES; line++) {
                    batch.add(("line " + line).getBytes(StandardCharsets.UTF_8)); // publishes by itself at each MiB
                }
            }
            long loaded = queue.count(queue.info().firstPosition(), queue.info().endPosition());
            System.out.println("loaded " + loaded + " lines");
            if (loaded != LINES) {
                throw new IllegalStateException("loaded " + loaded + " of " + LINES + " lines");
            }
        }
    }
}
