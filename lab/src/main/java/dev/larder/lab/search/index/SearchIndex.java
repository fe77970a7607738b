package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import dev.larder.lab.text.Fragments;
import dev.larder.lab.text.Resampler;
import java.io.IOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/**
 * Builds an index in any directory. Only the words and the options determine its documents: it has the same ones with any
 * number of threads, and with or without interruptions.
 *
 * <p>Each commit has the index's definition and the next document's number ({@link IndexState}). A build resumes at the
 * last commit, keeps a finished index of the same words and options, and refuses any other index.
 */
public final class SearchIndex {

    private static final int RAM_BUFFER_MEBIBYTES = 256;

    /** To increase when the same options make other fields. */
    private static final int FIELDS_VERSION = 1;

    private final SearchIndexOptions options;
    private final Resampler texts;

    /** An index of documents made of these words. */
    public SearchIndex(Fragments words, SearchIndexOptions options) {
        this.options = options;
        texts = new Resampler(words, options.seed());
    }

    /** Returns a text that identifies this index's documents, regardless of threads, buffer and commits. */
    public String fingerprint() {
        return "words " + texts.fingerprint() + " documents " + options.documents() + " vector "
                + options.vectorDimensions() + " segments 0 fields " + FIELDS_VERSION;
    }

    /** Returns the documents, for updates. */
    public SearchDocuments documents() {
        return new SearchDocuments(texts, options.documents(), options.vectorDimensions());
    }

    /** Returns a new analyzer, as for building and searching every index here. */
    public static Analyzer analyzer() {
        return new StandardAnalyzer();
    }

    /** Returns a new configuration of a writer for such an index. A close drops uncommitted changes. */
    public static IndexWriterConfig writerConfig(int ramBufferMebibytes) {
        return new IndexWriterConfig(analyzer())
                .setRAMBufferSizeMB(ramBufferMebibytes)
                .setCommitOnClose(false);
    }

    /**
     * Returns the state of the index in a directory.
     *
     * @throws LabException if it is another one, naming both
     */
    public IndexState state(Directory directory) throws IOException {
        IndexState state = IndexState.read(directory);
        if (!state.isEmpty() && !state.fingerprint().equals(fingerprint())) {
            throw new LabException("the index here has '" + state.fingerprint() + "', expected '" + fingerprint()
                    + "': name another directory, or delete it");
        }
        return state;
    }

    /**
     * Builds the index, or the rest of it.
     *
     * @throws LabException if there is another index, naming both
     */
    public IndexSummary build(Directory directory, IndexProgress progress) throws IOException {
        IndexState state = state(directory);
        if (!state.finished()) {
            write(directory, state.next(), progress);
        }
        return IndexSummary.of(directory, state.next());
    }

    private void write(Directory directory, long start, IndexProgress progress) throws IOException {
        IndexWriterConfig config = writerConfig(RAM_BUFFER_MEBIBYTES);
        ConcurrentMergeScheduler merges = new ConcurrentMergeScheduler();
        config.setMergeScheduler(merges);
        try (IndexWriter writer = new IndexWriter(directory, config);
                DocumentFeed feed = new DocumentFeed(writer, documents(), options.threads(), progress)) {
            for (long next = start; next < options.documents(); ) {
                long end = next + Math.min(options.commitEvery(), options.documents() - next);
                feed.add(next, end);
                progress.at(end, options.documents(), "committing");
                commit(writer, end, false);
                next = end;
            }
            progress.at(options.documents(), options.documents(), "merging");
            merges.sync(); // the last commit has their results
            commit(writer, options.documents(), true);
        }
    }

    private void commit(IndexWriter writer, long next, boolean finished) throws IOException {
        writer.setLiveCommitData(
                new IndexState(fingerprint(), next, finished).data().entrySet());
        writer.commit();
    }
}
