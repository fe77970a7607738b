package dev.larder.lab.load;

import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.LabException;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every response in a Larder queue, one message each, in the order of the answers.
 *
 * <p>To add one only copies 48 bytes into a chunk outside the heap; another thread writes full chunks to the queue.
 */
final class ResponseLog implements AutoCloseable {

    private static final long CHUNK_BYTES = Response.BYTES << 12;

    private record Chunk(MemorySegment memory, long length) {}

    private final Path directory;
    private final BlockingQueue<Chunk> full = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<MemorySegment> free = new ConcurrentLinkedQueue<>();
    private final Thread recorder;
    private MemorySegment current = allocate();
    private long length;
    private volatile @Nullable RuntimeException failure;

    ResponseLog(Path directory) {
        this.directory = directory;
        this.recorder = Thread.ofPlatform().name("responses").start(this::record);
    }

    private static MemorySegment allocate() {
        return Arena.ofAuto().allocate(CHUNK_BYTES, Long.BYTES);
    }

    /** Adds a response. Callers ensure one call at a time. */
    void add(MemorySegment source, long at) {
        MemorySegment.copy(source, at, current, length, Response.BYTES);
        length += Response.BYTES;
        if (length == CHUNK_BYTES) {
            hand();
        }
    }

    private void hand() {
        full.add(new Chunk(current, length));
        MemorySegment next = free.poll();
        current = next == null ? allocate() : next;
        length = 0;
    }

    private void record() {
        LogOptions options = LogOptions.defaults().withSync(SyncPolicy.none());
        try (LarderQueue queue = LarderQueue.open(directory, options);
                Appender appender = queue.appender();
                Batch batch = appender.batch()) {
            for (Chunk chunk = full.take(); chunk.length() > 0; chunk = full.take()) {
                write(chunk, batch);
            }
        } catch (RuntimeException e) {
            failure = e;
        } catch (InterruptedException e) {
            failure = new LabException("interrupted while keeping responses in " + directory, e);
        }
    }

    private void write(Chunk chunk, Batch batch) {
        for (long at = 0; at < chunk.length(); at += Response.BYTES) {
            batch.add(chunk.memory(), at, Response.BYTES);
        }
        if (chunk.length() == CHUNK_BYTES) {
            free.add(chunk.memory());
        }
    }

    /**
     * Writes the rest, and waits for it.
     *
     * @throws LabException if responses could not be kept
     */
    @Override
    public void close() {
        if (length > 0) {
            hand();
        }
        full.add(new Chunk(current, 0));
        Attempt.join(recorder);
        RuntimeException failed = failure;
        if (failed != null) {
            throw new LabException("cannot keep the responses in " + directory + ": " + failed.getMessage(), failed);
        }
    }
}
