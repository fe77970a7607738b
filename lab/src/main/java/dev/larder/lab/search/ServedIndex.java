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
 * An index that is searched, and updated beside that where it is to be. Updates are seen once it is reopened; nothing
 * is committed.
 */
final class ServedIndex implements AutoCloseable {

    private static final int RAM_BUFFER_MEBIBYTES = 64;

    private final @Nullable IndexWriter writer;
    private final SearcherManager searchers;
    private final Queue<Update> unseen = new ArrayDeque<>();
    private long updates;

    /** An update that no searcher has seen yet: Lucene's number of it, and when it was done. */
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

    /** Opens an index that is only read. */
    static ServedIndex open(Directory directory) throws IOException {
        return new ServedIndex(null, new SearcherManager(directory, new Uncached()));
    }

    /** Opens an index that can be updated. */
    static ServedIndex openForUpdates(Directory directory) throws IOException {
        IndexWriter writer = new IndexWriter(directory, SearchIndex.writerConfig(RAM_BUFFER_MEBIBYTES));
        return new ServedIndex(writer, new SearcherManager(writer, new Uncached()));
    }

    /** What is done with a searcher. */
    @FunctionalInterface
    interface Search<T> {
        T with(IndexSearcher searcher) throws IOException;
    }

    /** Searches what was there when it was reopened last. */
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

    /** Reopens it, and tells of each update that this has made visible how long it was not, in nanoseconds. */
    void reopen(LongConsumer visible) throws IOException {
        long completed = completed();
        searchers.maybeRefreshBlocking();
        long now = System.nanoTime();
        tell(completed, now, visible);
    }

    /** What is completed before a reopening begins, it shows. */
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
