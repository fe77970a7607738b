package dev.larder.lab.search.index;

import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;

/**
 * What a task found.
 *
 * @param hits documents that match, as far as they were counted: Lucene stops counting where it can leave documents out
 * @param checksum of the ten best documents, their scores, and all that was read of them: of the same task on the same
 *     files always the same, whatever directory they lie in
 */
public record SearchResult(long hits, long checksum) {

    /** Adds up what a task found, so that no part of it can be left out or another one unnoticed. */
    static final class Sum {

        private static final long PRIME = 0x100000001B3L;

        private long sum = 0xCBF29CE484222325L;

        void add(long value) {
            sum = Long.rotateLeft((sum ^ value) * PRIME, 23);
        }

        void add(TopDocs found) {
            for (ScoreDoc document : found.scoreDocs) {
                add(document.doc);
                add(Float.floatToIntBits(document.score));
            }
        }

        SearchResult result(long hits) {
            return new SearchResult(hits, sum);
        }
    }
}
