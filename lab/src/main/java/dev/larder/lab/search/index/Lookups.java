package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import dev.larder.lab.text.NumberedRandom;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Reads documents by key, and fields by document: at random places, without a search. */
final class Lookups {

    /** How many documents' stored fields a task reads. */
    static final int STORED = 50;

    /** How many documents' values a task reads. */
    static final int VALUES = 2_000;

    /** The result for a key without a document. */
    static final int NONE = -1;

    private Lookups() {}

    static SearchResult primaryKeys(List<String> keys, IndexReader reader) throws IOException {
        int[] documents = find(keys, reader);
        SearchResult.Sum sum = new SearchResult.Sum();
        long hits = 0;
        for (int document : documents) {
            sum.add(document);
            hits += document == NONE ? 0 : 1;
        }
        return sum.result(hits);
    }

    /** Finds the document of each key, segment by segment. */
    static int[] find(List<String> keys, IndexReader reader) throws IOException {
        int[] documents = new int[keys.size()];
        Arrays.fill(documents, NONE);
        for (LeafReaderContext leaf : reader.leaves()) {
            Terms terms = leaf.reader().terms(IndexFields.ID);
            if (terms != null) {
                find(keys, leaf, terms.iterator(), documents);
            }
        }
        return documents;
    }

    private static void find(List<String> keys, LeafReaderContext leaf, TermsEnum terms, int[] documents)
            throws IOException {
        PostingsEnum postings = null;
        for (int at = 0; at < documents.length; at++) {
            if (documents[at] == NONE && terms.seekExact(new BytesRef(keys.get(at)))) {
                postings = terms.postings(postings, PostingsEnum.NONE);
                int found = firstLive(postings, leaf.reader().getLiveDocs());
                documents[at] = found == PostingsEnum.NO_MORE_DOCS ? NONE : leaf.docBase + found;
            }
        }
    }

    private static int firstLive(PostingsEnum postings, @Nullable Bits live) throws IOException {
        int document = postings.nextDoc();
        while (document != PostingsEnum.NO_MORE_DOCS && live != null && !live.get(document)) {
            document = postings.nextDoc();
        }
        return document;
    }

    static SearchResult storedFields(long number, IndexReader reader) throws IOException {
        StoredFields fields = reader.storedFields();
        SearchResult.Sum sum = new SearchResult.Sum();
        for (int document : documents(number, STORED, reader)) {
            Document stored = fields.document(document);
            sum.add(stored.get(IndexFields.ID).hashCode());
            sum.add(stored.get(IndexFields.TITLE).hashCode());
            sum.add(stored.get(IndexFields.BODY).hashCode());
        }
        return sum.result(STORED);
    }

    /** Reads values in the order of documents, as doc values require. */
    static SearchResult docValues(long number, IndexReader reader) throws IOException {
        int[] documents = documents(number, VALUES, reader);
        Arrays.sort(documents);
        List<LeafReaderContext> leaves = reader.leaves();
        SearchResult.Sum sum = new SearchResult.Sum();
        for (int at = 0; at < documents.length; ) {
            LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(documents[at], leaves));
            at = addValues(documents, at, leaf, sum);
        }
        return sum.result(VALUES);
    }

    /** Adds the values of a segment's documents, and returns the index of the next one's first. */
    private static int addValues(int[] documents, int start, LeafReaderContext leaf, SearchResult.Sum sum)
            throws IOException {
        NumericDocValues values = DocValues.getNumeric(leaf.reader(), IndexFields.VALUE);
        int end = leaf.docBase + leaf.reader().maxDoc();
        int at = start;
        while (at < documents.length && documents[at] < end) {
            sum.add(values.advanceExact(documents[at] - leaf.docBase) ? values.longValue() : NONE);
            at++;
        }
        return at;
    }

    /** Draws documents by the number. */
    private static int[] documents(long number, int count, IndexReader reader) {
        if (reader.maxDoc() == 0) {
            throw new LabException("the index is empty: no documents to read fields of");
        }
        NumberedRandom random = new NumberedRandom(number, count);
        int[] documents = new int[count];
        Arrays.setAll(documents, at -> (int) random.below(reader.maxDoc()));
        return documents;
    }
}
