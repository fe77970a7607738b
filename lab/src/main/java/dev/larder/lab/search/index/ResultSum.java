package dev.larder.lab.search.index;

import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;

/** Adds up what a task found, so that no part of it can be left out or another one unnoticed. */
final class ResultSum {

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
