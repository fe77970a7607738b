package dev.larder.lab.search;

import dev.larder.lab.search.index.SearchDocuments;
import dev.larder.lab.search.index.SearchIndex;
import dev.larder.lab.search.index.SearchTask;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.LongConsumer;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * An index that serves searches and, if wanted, concurrent updates. Updates are visible after a reopening; nothing is
 * committed.
 */
final class ServedIndex implements AutoCloseable {

    private static final int RAM_BUFFER_MEBIBYTES = 64;

    private final @Nullable IndexWriter writer;
    private final SearcherManager searchers;
    private final Queue<Update> unseen = new ArrayDeque<>();
    private long updates;

    /** An update that no searcher sees yet: Lucene's number of it, and its time. */
    private record Update(long number, long doneNanos) {}

    private static final class Uncached extends SearcherFactory {
        @Override
        public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
            return SearchTask.searcher(reader);
        }
    }

    private ServedIndex(@Nullable IndexWriter writer, SearcherManager searchers) {
        this.writer = writer;
        this.searchers = searchers;
    }

    /** Opens a read-only index. */
    static ServedIndex open(Directory directory) throws IOException {
        return new ServedIndex(null, new SearcherManager(directory, new Uncached()));
    }

    /** Opens an index for updates. */
    static ServedIndex openForUpdates(Directory directory) throws IOException {
        IndexWriter writer = new IndexWriter(directory, SearchIndex.writerConfig(RAM_BUFFER_MEBIBYTES));
        return new ServedIndex(writer, new SearcherManager(writer, new Uncached()));
    }

    /** Work with a searcher. */
    @FunctionalInterface
    interface Search<T> {
        T with(IndexSearcher searcher) throws IOException;
    }

    /** Searches the state of the last reopening. */
    <T> T search(Search<T> search) throws IOException {
        IndexSearcher searcher = searchers.acquire();
        try {
            return search.with(searcher);
        } finally {
            searchers.release(searcher);
        }
    }

    boolean isUpdatable() {
        return writer != null;
    }

    /** Replaces a document by its next text. */
    synchronized void update(SearchDocuments documents, long number) throws IOException {
        IndexWriter updated = writer;
        if (updated == null) {
            throw new IllegalStateException("the index is only read");
        }
        documents.update(updated, number, ++updates);
        unseen.add(new Update(updated.getMaxCompletedSequenceNumber(), System.nanoTime()));
    }

    /** Reopens it; reports for each newly visible update how long it was invisible, in nanoseconds. */
    void reopen(LongConsumer visible) throws IOException {
        long completed = completed();
        searchers.maybeRefreshBlocking();
        long now = System.nanoTime();
        tell(completed, now, visible);
    }

    /** A reopening shows the updates completed before it. */
    private synchronized long completed() {
        return writer == null ? 0 : writer.getMaxCompletedSequenceNumber();
    }

    private synchronized void tell(long completed, long now, LongConsumer visible) {
        for (Update first = unseen.peek(); first != null && first.number() <= completed; first = unseen.peek()) {
            visible.accept(now - first.doneNanos());
            unseen.remove();
        }
    }

    @Override
    public void close() throws IOException {
        searchers.close();
        if (writer != null) {
            writer.rollback();
        }
    }
}
