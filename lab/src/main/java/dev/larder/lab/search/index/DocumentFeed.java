package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;
import org.jspecify.annotations.Nullable;

/** Gives documents to a writer by several threads, of which each takes the next number. */
final class DocumentFeed implements AutoCloseable {

    private static final long TOLD_EVERY = 1_000;

    private final IndexWriter writer;
    private final SearchDocuments documents;
    private final int threads;
    private final IndexProgress progress;
    private final ExecutorService executor;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong added = new AtomicLong();

    DocumentFeed(IndexWriter writer, SearchDocuments documents, int threads, IndexProgress progress) {
        this.writer = writer;
        this.documents = documents;
        this.threads = threads;
        this.progress = progress;
        executor = Executors.newFixedThreadPool(threads);
    }

    /** Adds the documents of a range, its end not included; returns when all of them are added. */
    void add(long start, long end) throws IOException {
        next.set(start);
        added.set(start);
        List<Future<?>> workers = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            workers.add(executor.submit(() -> addUntil(end)));
        }
        join(workers, end);
    }

    private @Nullable Void addUntil(long end) throws IOException {
        for (long number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
            writer.addDocument(documents.document(number));
            if (added.incrementAndGet() % TOLD_EVERY == 0) {
                tell();
            }
        }
        return null;
    }

    private synchronized void tell() {
        progress.at(added.get(), documents.count(), "indexing");
    }

    /** Waits for all, also when one has failed: none may write to a writer that is being closed. */
    private void join(List<Future<?>> workers, long end) throws IOException {
        Throwable failure = null;
        for (Future<?> worker : workers) {
            Throwable thrown = failureOf(worker);
            if (thrown != null) {
                next.set(end);
                failure = failure == null ? thrown : failure;
            }
        }
        if (failure != null) {
            throw asThrown(failure);
        }
    }

    private @Nullable Throwable failureOf(Future<?> worker) {
        try {
            worker.get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LabException("interrupted while an index was built; what was committed stays", e);
        }
    }

    private static IOException asThrown(Throwable failure) {
        return switch (failure) {
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> new IOException(failure.getMessage(), failure);
        };
    }

    /** Waits until no thread gives anything to the writer any more. */
    @Override
    public void close() {
        next.set(Long.MAX_VALUE / 2);
        executor.close();
    }
}
