package dev.larder.lab.search.index;

import dev.larder.lab.result.Attempt;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;

/** Adds documents to a writer by several threads; each thread takes the next number. */
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

    /**
     * Adds the documents of a range, its end excluded. Returns when all threads are done, even if one has failed: none may
     * use a writer that is being closed.
     */
    void add(long start, long end) {
        next.set(start);
        added.set(start);
        Attempt.giving("index documents", () -> executor.invokeAll(Collections.nCopies(threads, () -> addUntil(end))))
                .forEach(worker -> Attempt.await("index documents", worker));
    }

    private boolean addUntil(long end) throws IOException {
        boolean isDone = false;
        try {
            for (long number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
                writer.addDocument(documents.document(number));
                if (added.incrementAndGet() % TOLD_EVERY == 0) {
                    tell();
                }
            }
            isDone = true;
        } finally {
            next.accumulateAndGet(isDone ? 0 : end, Math::max);
        }
        return isDone;
    }

    private synchronized void tell() {
        progress.at(added.get(), documents.count(), "indexing");
    }

    /** Waits until no thread uses the writer. */
    @Override
    public void close() {
        next.set(Long.MAX_VALUE / 2);
        executor.close();
    }
}
