package dev.larder.lab.search.index;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.vectorhighlight.FastVectorHighlighter;
import org.apache.lucene.search.vectorhighlight.FieldQuery;

/** The best fragments of documents that were found, with what was looked for marked in them. */
final class Highlights {

    private static final int FRAGMENTS = 2;
    private static final int FRAGMENT_CHARACTERS = 100;
    private static final FastVectorHighlighter HIGHLIGHTER = new FastVectorHighlighter(true, true);

    private Highlights() {}

    static void add(Query query, IndexReader reader, TopDocs found, ResultSum sum) throws IOException {
        FieldQuery terms = terms(query, reader);
        for (ScoreDoc document : found.scoreDocs) {
            for (String fragment : of(terms, reader, document.doc)) {
                sum.add(fragment.hashCode());
            }
        }
    }

    /** What is to be marked. */
    static FieldQuery terms(Query query, IndexReader reader) throws IOException {
        return HIGHLIGHTER.getFieldQuery(query, reader);
    }

    /** The best fragments of a document. */
    static String[] of(FieldQuery terms, IndexReader reader, int document) throws IOException {
        return HIGHLIGHTER.getBestFragments(terms, reader, document, IndexFields.BODY, FRAGMENT_CHARACTERS, FRAGMENTS);
    }
}
