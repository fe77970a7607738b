package dev.larder.lab.search.index;

import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;

/**
 * The result of a task.
 *
 * @param hits matching documents, as far as they were counted: Lucene stops counting when it can skip documents
 * @param checksum of the ten best documents, their scores, and all that was read of them: the same for a task on the same
 *     files in any directory
 */
public record SearchResult(long hits, long checksum) {

    /** Adds up a task's findings, so that a missing or a different part is noticed. */
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
