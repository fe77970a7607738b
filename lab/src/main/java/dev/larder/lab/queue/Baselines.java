package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The machine's own times for the bytes of a burst, measured right after each burst by children that are otherwise idle.
 * One of them, under its own limit, only writes plain blocks.
 */
final class Baselines implements AutoCloseable {

    private final ChildProcess free;
    private final @Nullable ChildProcess limited;
    private final QueueOptions options;

    Baselines(ChildProcess free, @Nullable ChildProcess limited, Path data, QueueOptions options, long bufferBytes) {
        this.free = free;
        this.limited = limited;
        this.options = options;
        free.ask("configure", configuration(data.resolve("baseline"), bufferBytes, 0));
        if (limited != null) {
            limited.ask("configure", configuration(data.resolve("plain"), 0, keptBytes(options)));
        }
    }

    /** Returns how much the limited child leaves on disk: enough that files have left memory long before deletion. */
    static long keptBytes(QueueOptions options) {
        return options.place().memoryLimitBytes() == null
                ? 0
                : 3 * options.place().memoryLimitBytes();
    }

    private Figures configuration(Path directory, long buffer, long kept) {
        return new Figures()
                .put("message_bytes", options.messages().messageBytes())
                .put("seed", options.seed())
                .put("directory", directory)
                .put("buffer_bytes", buffer)
                .put("kept_bytes", kept);
    }

    /** Measures without keeping the figures: compiles the code, touches the memory, fills the limit. */
    void warmUp(long bytes) {
        measure();
        measure();
        if (limited != null) {
            for (long written = 0; written < bytes; written += options.bursts().burstBytes()) {
                limited.ask(
                        "pwrite", new Figures().put("bytes", options.bursts().burstBytes()));
            }
        }
    }

    /** Returns {@code copy_ms}, {@code sum_ms}, {@code first_touch_ms}, {@code pwrite_ms}, {@code pwrite_limited_ms}. */
    Figures measure() {
        Figures bytes = new Figures().put("bytes", options.bursts().burstBytes());
        return free.ask("measure", bytes)
                .put(
                        "pwrite_limited_ms",
                        limited == null ? null : limited.ask("pwrite", bytes).get("pwrite_ms"));
    }

    @Override
    public void close() {
        free.close();
        if (limited != null) {
            limited.close();
            limited.limit().close();
        }
    }
}
